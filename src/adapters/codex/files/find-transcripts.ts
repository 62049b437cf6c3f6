import { basename } from 'node:path';
import { SmartForkError } from '../../../domain/errors.ts';
import type { OnProblem, TranscriptFile } from '../../../ports/transcript-source.ts';
import { statOf } from '../../files/look-at-path.ts';
import { idInName, isArchived, listTranscripts } from './list-transcripts.ts';
import type { OwnIds } from './own-ids.ts';
import type { Rollouts } from './read-file.ts';
import { chainOf, type RolloutFiles } from './rollouts.ts';

interface Finder {
  rollouts: RolloutFiles;
  ownIds: OwnIds;
}

/** All transcripts in a home, one for each thread. */
export function findTranscripts(
  { rollouts }: Pick<Finder, 'rollouts'>,
  home: string,
  names: Map<string, string>,
  onProblem?: OnProblem,
): TranscriptFile[] {
  const all = listTranscripts(home, onProblem);
  const named = all.filter((path) => idInName(path) !== null);
  for (const path of all)
    if (OLD_NAME.test(basename(path))) onProblem?.(path, 'written before May 2025', 'old format');
  return [...rollouts.byThread(named)].flatMap(([threadId, group]) => {
    const { parts, copies } = chainOf(group);
    for (const path of copies) onProblem?.(path, 'another copy is read', 'copy');
    const archived = group.every(({ path }) => isArchived([home], path));
    const file = describeFiles(parts, threadId, { name: names.get(threadId), archived });
    if (file === null) onProblem?.(parts.at(-1) ?? home, 'cannot be read');
    return file ?? [];
  });
}

/** The transcript at a path; null if it is not one of Codex's. */
export function inspectTranscript(
  { rollouts, ownIds }: Finder,
  homes: string[],
  path: string,
  nameOf: (threadId: string) => string | undefined,
): TranscriptFile | null {
  try {
    const stats = statOf(path);
    const ownId = stats?.isFile() === true ? ownIds(path, stats) : null;
    if (ownId === null) return null;
    const threadId = ownId;
    const archived = isArchived(homes, path);
    return describeFiles(rollouts.of(path), threadId, { name: nameOf(threadId), archived });
  } catch (error) {
    if (error instanceof SmartForkError) return null;
    throw error;
  }
}

/** The first versions, in TypeScript, wrote one JSON document for each session. */
const OLD_NAME = /^rollout-.*\.json$/;

function describeFiles(
  files: Rollouts,
  sessionId: string,
  { name, archived }: { name: string | undefined; archived: boolean },
): TranscriptFile | null {
  const paths = typeof files === 'string' ? [files] : files;
  const stats = paths.map(statOf).filter((stat) => stat?.isFile() === true);
  const last = stats.at(-1);
  if (last === undefined || stats.length < paths.length) return null;
  return {
    agent: 'codex',
    path: paths.at(-1) ?? '',
    sessionId,
    size: stats.reduce((sum, stat) => sum + (stat?.size ?? 0), 0),
    mtimeMs: Math.max(...stats.map((stat) => stat?.mtimeMs ?? 0)),
    inode: last.ino,
    ...(name === undefined ? {} : { name }),
    ...(archived ? { archived: true } : {}),
  };
}
