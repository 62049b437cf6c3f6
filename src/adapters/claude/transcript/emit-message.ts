import type { GitStep } from '../../../domain/session/calls/git-steps.ts';
import type { Role } from '../../../domain/session/session.ts';
import type { Reply } from '../../../domain/session/transcript-event.ts';
import { asText, asTime } from '../../jsonl/read-value.ts';
import type { LineContext } from '../calls/line-context.ts';

export function emitMessage(
  role: Role,
  text: string,
  line: Record<string, unknown>,
  { inherited, emit }: LineContext,
  more: { call?: string; git?: GitStep[] | undefined; closes?: boolean; reply?: Reply } = {},
): void {
  if (text === '') return;
  const uuid = asText(line.uuid) || null;
  const timestamp = asTime(line.timestamp);
  emit({ kind: 'message', role, text, timestamp, uuid, inherited, ...more });
}
