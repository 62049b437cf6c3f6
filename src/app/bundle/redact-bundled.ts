import { pointText, type SessionPayload, type TextPayload } from '../../domain/point/point.ts';
import { sha256 } from '../../domain/text/hash.ts';
import type { Redactor } from '../../ports/redactor.ts';

/** Ids, places, hashes and times are not redacted. */
const KEPT = new Set([
  ...['type', 'session_id', 'agent', 'machine', 'repo_id', 'repo_key', 'repo_name', 'content_hash', 'hash'],
  ...['timestamp', 'started_at', 'ended_at', 'jsonl_path', 'working_directory', 'repo_path'],
]);

/** Redacts again, because the exporting machine may have had other patterns. */
export async function redactBundled<B extends { session: SessionPayload; points: TextPayload[] }>(
  redactor: Redactor,
  bundled: B,
): Promise<B> {
  const { session, points } = bundled;
  const texts = textsOf({ session, points });
  const redacted = await redactor.redact(texts.map((text) => ({ text })));
  const changes = new Map<string, string>();
  for (const [at, text] of texts.entries()) {
    const now = redacted[at]?.text ?? '';
    if (now !== text) changes.set(text, now);
  }
  if (changes.size === 0) return bundled;
  return {
    ...bundled,
    session: replaced(session, changes),
    points: points.map((point) => rehashed(point, replaced(point, changes))),
  };
}

function textsOf(value: object): string[] {
  const texts = new Set<string>();
  JSON.stringify(value, (name, text) => {
    if (typeof text === 'string' && !KEPT.has(name)) texts.add(text);
    return text;
  });
  return [...texts];
}

function replaced<T>(value: T, changes: Map<string, string>): T {
  return JSON.parse(JSON.stringify(value), (name, text) =>
    KEPT.has(name) ? text : (changes.get(text) ?? text),
  );
}

/** A changed text needs a new content_hash. */
function rehashed(before: TextPayload, after: TextPayload): TextPayload {
  if (pointText(after) === pointText(before)) return after;
  const content_hash = sha256(pointText(after));
  if (after.type !== 'chunk' || before.type !== 'chunk') return { ...after, content_hash };
  // If redaction changed the overlap, its new length is unknown, so it counts as none.
  const isSame = after.content.startsWith(before.content.slice(0, before.overlap));
  return { ...after, content_hash, overlap: isSame ? after.overlap : 0 };
}
