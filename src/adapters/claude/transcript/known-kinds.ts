import { holdsText } from '../../jsonl/holds-text.ts';

/** Whether a line is of a kind that this reader does not know, and holds text. */
export function isUnknownText(line: Record<string, unknown>): boolean {
  const { type } = line;
  return typeof type === 'string' && !KNOWN.has(type) && !type.startsWith('api-request') && holdsText(line);
}

/** The kinds that versions up to 2.1.330 write. */
const KNOWN = new Set(
  (
    'user assistant system attachment progress summary custom-title ai-title last-prompt tag ' +
    'agent-name agent-color agent-setting mode permission-mode isolation-latch pr-link frame-link ' +
    'bridge-session worktree-state relocated continued-in derived-from ended-by-model ' +
    'file-history-snapshot file-history-delta attribution-snapshot speculation-accept ' +
    'queue-operation content-replacement fork-context-ref marble-origami-commit ' +
    'marble-origami-snapshot marble-origami-reset cost-state tools-used'
  ).split(' '),
);
