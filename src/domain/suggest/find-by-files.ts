import type { SessionRecord } from '../session/session.ts';

interface FoundByFiles<T> {
  session: T;
  /** Files named in the prompt and changed by the session, spelled as in the prompt. */
  files: string[];
}

/**
 * The session that changed most of the files named in a prompt; null if none did. Files changed by few sessions weigh more. Among
 * equals, the newest session wins.
 */
export function findByFiles<T extends Pick<SessionRecord, 'files_touched' | 'ended_at'>>(
  prompt: string,
  sessions: T[],
  fewest = 1,
): FoundByFiles<T> | null {
  const named = namedFiles(prompt);
  if (named.length === 0) return null;
  const changes = sessions.map((session) => ({
    session,
    files: named.filter((file) => session.files_touched.some((path) => isSameFile(path, file))),
  }));
  const weights = new Map(
    named.map((file) => {
      const changed = changes.filter(({ files }) => files.includes(file)).length;
      return [file, Math.log(1 + sessions.length / Math.max(1, changed))];
    }),
  );
  const scored = changes
    .filter(({ files }) => files.length >= fewest)
    .map((one) => ({ ...one, score: one.files.reduce((sum, file) => sum + (weights.get(file) ?? 0), 0) }));
  const best = scored.reduce<(typeof scored)[number] | null>(
    (first, one) => (first === null || isBefore(one, first) ? one : first),
    null,
  );
  return best === null ? null : { session: best.session, files: best.files };
}

/** Files named in a text together with their folders. */
export function namedFiles(text: string): string[] {
  const found = text.slice(0, LONGEST_PROMPT).matchAll(NAMED_FILE);
  return tellingFiles([...new Set(Array.from(found, ([, file = '']) => file))]).slice(0, MAX_FILES);
}

/** Leaves out files that almost every session changes. */
export function tellingFiles(files: string[]): string[] {
  return files.filter((file) => !/(?:^|\/)(?:CHANGELOG|README)[^/]*$|package(?:-lock)?\.json$/i.test(file));
}

const LONGEST_PROMPT = 20_000;
const MAX_FILES = 50;
const NAMED_FILE = /(?<![\w/:.])@?(?:\.\/)?((?:[\w@.-]{1,100}\/){1,20}[\w.-]{1,100}\.[a-z]{1,5})\b/gi;

function isSameFile(path: string, file: string): boolean {
  return path === file || path.endsWith(`/${file}`) || file.endsWith(`/${path}`);
}

function isBefore<T extends { session: Pick<SessionRecord, 'ended_at'>; score: number }>(
  one: T,
  other: T,
): boolean {
  if (one.score !== other.score) return one.score > other.score;
  return (one.session.ended_at ?? '') > (other.session.ended_at ?? '');
}
