import { asId, asNumber, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
import { type Rollouts, readLines } from '../files/read-file.ts';

/**
 * The prompts that the user took back before the first line of a thread's later rollout: Codex goes on in a new one, whose first line
 * names the ordinal from which the earlier ones no longer count. Null for any other line.
 */
export function revertedBefore(files: Rollouts, line: Buffer, offset: number): string[] | null {
  if (cutIn(line) === null) return null;
  const prompts: { id: string; ordinal: number }[] = [];
  const gone = new Set<string>();
  const cut = (end: number) => {
    for (const { id, ordinal } of prompts) if (ordinal >= end) gone.add(id);
  };
  readLines(files, 0, 0, (bytes, _number, at) => {
    const end = cutIn(bytes);
    if (end !== null) cut(end);
    const prompt = end === null && at < offset ? promptIn(bytes) : null;
    if (prompt !== null) prompts.push(prompt);
    return at < offset;
  });
  return [...gone];
}

const META = Buffer.from('"type":"session_meta"');
const PROMPT = Buffer.from('"UserMessage"');

/** Where the first line of a rollout cuts its own thread off. */
function cutIn(line: Buffer): number | null {
  return continuesIn(line)?.end ?? null;
}

/** What the first line of a later rollout of its own thread says; null for any other line. */
export function continuesIn(line: Buffer) {
  if (!line.subarray(0, 200).includes(META)) return null;
  const payload = asRecord(asRecord(parseJson(line.toString('utf8')))?.payload);
  const base = asRecord(payload?.history_base);
  const [threadId, continues] = [asId(payload?.id), asId(base?.thread_id)];
  if (threadId === null || continues === null || continues === payload?.forked_from_id) return null;
  const time = asText(payload?.timestamp) ?? '';
  return { threadId, continues, time, end: asNumber(base?.end_ordinal_exclusive) };
}

function promptIn(line: Buffer): { id: string; ordinal: number } | null {
  if (!line.includes(PROMPT)) return null;
  const object = asRecord(parseJson(line.toString('utf8')));
  const item = asRecord(asRecord(object?.payload)?.item);
  const [id, ordinal] = [asText(item?.id), asNumber(object?.ordinal)];
  return item?.type === 'UserMessage' && id !== null && ordinal !== null ? { id, ordinal } : null;
}
