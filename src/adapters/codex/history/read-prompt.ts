import type { HistoryEntry, HistoryFormat } from '../../history/prompt-history.ts';
import { asId, asNumber, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
import { cleanUserText } from '../transcript/clean-text.ts';

/** Codex records the session, the time in seconds and the text, but not the folder. */
export const codexHistory: HistoryFormat = {
  agent: 'codex',
  readEntry,
  isCommand: (text) => /^\/[\w-]+\s*$/.test(text),
};

function readEntry(line: string): HistoryEntry | null {
  const entry = asRecord(parseJson(line));
  const sessionId = asId(entry?.session_id);
  const seconds = asNumber(entry?.ts);
  const text = asText(entry?.text);
  if (sessionId === null || seconds === null || text === null) return null;
  const timeMs = seconds * 1000;
  if (Number.isNaN(new Date(timeMs).getTime())) return null;
  return { sessionId, timeMs, project: '', text: cleanUserText(text) };
}
