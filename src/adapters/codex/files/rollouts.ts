import { basename, sep } from 'node:path';
import { readRegularFile, statOf } from '../../files/look-at-path.ts';
import { readMeta } from '../transcript/read-head.ts';
import { ARCHIVED, idInName, listTranscripts } from './list-transcripts.ts';
import { contentSize, isCompressed, type Rollouts } from './read-file.ts';

/** One file of a thread. */
interface Rollout {
  path: string;
  /** The thread's id, which is in its first line. */
  threadId: string;
}

export interface RolloutFiles {
  /** Files by thread. */
  byThread(paths: string[]): Map<string, Rollout[]>;
  /** The files that the reference of a transcript stands for. */
  of(path: string): Rollouts;
}

/**
 * Codex continues a thread in another rollout when it goes back in it, and in some cases when it resumes it: the first line then names
 * the rollout that it continues. The reference is the path of the newest one.
 */
export function createRolloutFiles(homes: string[]): RolloutFiles {
  const threads = new Map<string, string>();
  const chains = new Map<string, string[]>();
  const threadOf = (path: string) => {
    const known = threads.get(path);
    if (known !== undefined) return known;
    const inName = idInName(path) ?? '';
    const id = idInHead(path) ?? readMeta(path)?.id ?? inName;
    threads.set(path, id);
    return id;
  };
  const byThread = (paths: string[]) => {
    const groups = new Map<string, Rollout[]>();
    for (const path of paths) {
      const threadId = safely(() => threadOf(path)) ?? idInName(path) ?? '';
      groups.set(threadId, [...(groups.get(threadId) ?? []), { path, threadId }]);
    }
    return groups;
  };
  return {
    byThread,
    of(path) {
      const known = chains.get(path);
      if (known?.every((one) => statOf(one) !== undefined)) return known;
      const home = homes.find((one) => path.startsWith(one + sep));
      const meta = home === undefined ? null : safely(() => readMeta(path));
      if (home === undefined || meta === null || meta.continues === null || meta.continues === meta.parentId)
        return path;
      const named = listTranscripts(home).filter((one) => idInName(one) !== null);
      const { parts } = chainOf(byThread(named).get(meta.id) ?? []);
      if (parts.length < 2 || parts.at(-1) !== path) return path;
      chains.set(path, parts);
      return parts;
    },
  };
}

/** The files of a thread to read, oldest first, and copies of them, which are not read. */
export function chainOf(group: Rollout[]): { parts: string[]; copies: string[] } {
  const paths = group.map(({ path }) => path);
  if (paths.length < 2) return { parts: paths, copies: [] };
  const ids = new Set([...paths.map((path) => idInName(path)), group[0]?.threadId]);
  const later = paths.filter((path) => continuesOneOf(path, ids));
  const first = paths.filter((path) => !later.includes(path)).sort(byContent)[0];
  const parts = first === undefined ? [] : [first];
  const nameOf = (path: string) => basename(path).replace(/\.zst$/, '');
  for (const name of [...new Set(later.map(nameOf))].sort())
    parts.push(
      ...later
        .filter((path) => nameOf(path) === name)
        .sort(byContent)
        .slice(0, 1),
    );
  return { parts, copies: paths.filter((path) => !parts.includes(path)) };
}

function continuesOneOf(path: string, ids: Set<string | null | undefined>): boolean {
  const meta = safely(() => readMeta(path));
  return (
    meta !== null && meta.continues !== null && meta.continues !== meta.parentId && ids.has(meta.continues)
  );
}

/** The one with more content first: an archived copy may be longer. Of equals, the active one, then the one that is not compressed. */
function byContent(a: string, b: string): number {
  const more = (safely(() => contentSize(b)) ?? 0) - (safely(() => contentSize(a)) ?? 0);
  if (more !== 0) return more;
  const inArchive = Number(a.includes(ARCHIVED)) - Number(b.includes(ARCHIVED));
  return inArchive !== 0 ? inArchive : Number(isCompressed(a)) - Number(isCompressed(b));
}

/** The id is among the first fields, so that thousands of files are asked for it in a moment. */
function idInHead(path: string): string | undefined {
  if (isCompressed(path)) return undefined;
  return ID_IN_HEAD.exec(readRegularFile(path, HEAD_BYTES))?.[1];
}

const HEAD_BYTES = 512;
const ID_IN_HEAD =
  /^\{"timestamp":"[^"\\]{1,40}",(?:"ordinal":\d{1,15},)?"type":"session_meta","payload":\{(?:"account_scoped":(?:true|false),)?(?:"session_id":"[^"\\]{1,64}",)?"id":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/;

/** Null for an unreadable file: reading it reports the reason. */
function safely<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
