import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import { asId, asNumber, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';

/** A prompt as `history.jsonl` has it. */
export interface HistoryEntry {
  sessionId: string;
  timeMs: number;
  project: string;
  text: string;
}

/** The prompt of a line; null if it is corrupt, or older than the ids of sessions. */
export function readEntry(line: string): HistoryEntry | null {
  const entry = asRecord(parseJson(line));
  const sessionId = asId(entry?.sessionId);
  const timeMs = asNumber(entry?.timestamp);
  const text = asText(entry?.display);
  if (entry === null || sessionId === null || text === null) return null;
  if (timeMs === null || Number.isNaN(new Date(timeMs).getTime())) return null;
  const project = asText(entry.project) ?? '';
  return { sessionId, timeMs, project, text: withPastes(text, asRecord(entry.pastedContents)) };
}

/** Emits a prompt as a transcript's reader does. Commands of the agent (`/clear`) are not the user's words. */
export function emitPrompt(
  { timeMs, project, text }: HistoryEntry,
  onEvent: (event: TranscriptEvent) => void,
): void {
  const timestamp = new Date(timeMs).toISOString();
  onEvent({ kind: 'context', timestamp, ...(project !== '' && { cwd: project }) });
  if (OWN_SKILL.test(text)) onEvent({ kind: 'own', by: 'user', answers: true });
  else if (text.trim() !== '' && !/^\/[\w:-]+\s*$/.test(text))
    onEvent({ kind: 'message', role: 'user', text, timestamp, uuid: null, inherited: false });
}

const OWN_SKILL =
  /^\/(?:smart-fork:|(?:fork-detect|fork-session|smart-fork|session-stats|remember|memory-(?:stats|topics|backfill))\b)/;

/** Puts pasted text where the terminal shows `[Pasted text #1 +12 lines]`. */
function withPastes(text: string, pastes: Record<string, unknown> | null): string {
  return text.replace(/\[Pasted text #(\d+)[^\]]*\]/g, (mark, id: string) => {
    const content = asText(asRecord(pastes?.[id])?.content);
    return content === null || content === '' ? mark : content;
  });
}
