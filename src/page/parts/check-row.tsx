import type { Check } from '../api/types.ts';

const MARKS = { ok: '✓', note: '·', warn: '!', fail: '✗' };

export function CheckRow({ check: { name, status, message, fix } }: { check: Check }) {
  return (
    <li class={status}>
      <span class="check-mark" role="img" aria-label={status}>
        {MARKS[status]}
      </span>
      <strong>{name}</strong>
      <span>
        {message}
        {fix !== undefined && <em> {fix}</em>}
      </span>
    </li>
  );
}
