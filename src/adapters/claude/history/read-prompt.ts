import type { HistoryEntry, HistoryFormat } from '../../history/prompt-history.ts';
import { asId, asNumber, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';

export const claudeHistory: HistoryFormat = {
  agent: 'claude',
  readEntry,
  isCommand: (text) => /^\/[\w:-]+\s*$/.test(text),
};

/** The prompt in a line; null if the line is corrupt, or too old to contain a session id. */
function readEntry(line: string): HistoryEntry | null {
  const entry = asRecord(parseJson(line));
  const sessionId = asId(entry?.sessionId);
  const timeMs = asNumber(entry?.timestamp);
  const text = asText(entry?.display);
  if (entry === null || sessionId === null || text === null) return null;
  if (timeMs === null || Number.isNaN(new Date(timeMs).getTime())) return null;
  const project = asText(entry.project) ?? '';
  return { sessionId, timeMs, project, text: withPastes(text, asRecord(entry.pastedContents)) };
}

/** Inserts pasted text where the terminal shows `[Pasted text #1 +12 lines]`. */
function withPastes(text: string, pastes: Record<string, unknown> | null): string {
  return text.replace(/\[Pasted text #(\d{1,9})(?!\d)[^[\]]{0,100}\]/g, (mark, id: string) => {
    const content = asText(asRecord(pastes?.[id])?.content);
    return content === null || content === '' ? mark : content;
  });
}
