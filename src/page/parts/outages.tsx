import type { NOT_INDEXED, Outage } from '../../domain/outage.ts';
import type { Notice } from '../../domain/search-result.ts';

const CODES: Record<Outage['code'] | typeof NOT_INDEXED, true> = {
  SERVER_AWAY: true,
  SERVER_REFUSED: true,
  COLLECTION_MISSING: true,
  LEGACY_COLLECTION: true,
  NOT_INDEXED: true,
};

export function isOutage({ code }: Notice): boolean {
  return Object.hasOwn(CODES, code);
}

/** What an answer lacks, and why. Stands before the answer. */
export function Outages({ notices = [] }: { notices?: Notice[] }) {
  return (
    <>
      {notices.filter(isOutage).map(({ code, message, hint }) => (
        <p class="notice" role="alert" key={code}>
          {message}
          {hint !== undefined && <small> · {hint}</small>}
        </p>
      ))}
    </>
  );
}
