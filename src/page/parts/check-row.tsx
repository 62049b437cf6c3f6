import type { Check } from '../api/types.ts';

import { CopyButton } from './copy-button.tsx';

const MARKS = { ok: '✓', note: '·', warn: '!', fail: '✗' };

export function CheckRow({ check: { name, status, message, fix } }: { check: Check }) {
  // "smart-fork model pull, or set …", "Install it: npm install -g …"
  const begins = fix?.split(': ').find((part) => /^(?:smart-fork|npm) /.test(part));
  const command = begins?.split(/[.,;](?: |$)/)[0];
  return (
    <li class={status}>
      <span class="check-mark" role="img" aria-label={status}>
        {MARKS[status]}
      </span>
      <strong>{name}</strong>
      <span>
        {message}
        {fix !== undefined && <em> {fix}</em>}
        {command !== undefined && (
          <>
            {' '}
            <CopyButton text={command} label="Copy" />
          </>
        )}
      </span>
    </li>
  );
}
