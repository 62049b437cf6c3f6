import type { UsageNumbers } from './usage-report.ts';

/** "$12.34"; "$12.34+" if a part of the requests has no price, "unknown" if none has one. */
export function costText({
  cost,
  unpriced_requests,
}: Pick<UsageNumbers, 'cost' | 'unpriced_requests'>): string {
  if (cost === undefined) return 'unknown';
  const text = cost > 0 && cost < 0.01 ? '<$0.01' : `$${cost.toLocaleString('en-US', CENTS)}`;
  return unpriced_requests > 0 ? `${text}+` : text;
}

const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
