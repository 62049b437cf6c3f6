import { basename, dirname, resolve } from 'node:path';
import { SmartForkError } from '../../domain/errors.ts';
import type { BlamedLine, CommitFacts } from '../../ports/machine.ts';
import { folderFilter } from '../search/repository-filter.ts';
import { findMakers, type Maker, makersOf } from './find-makers.ts';
import type { TraceDependencies } from './trace-commit.ts';

/** Lines last changed by the same commit. */
export interface TracedLines {
  /** Null for uncommitted changes. */
  commit: CommitFacts | null;
  /** Ranges of lines, [first, last]. */
  lines: [number, number][];
  sessions: Maker[];
}

export interface TracedFile {
  file: string;
  /** Commits with the most lines first. */
  commits: TracedLines[];
  /** Number of commits beyond the first MAX_COMMITS, whose sessions were not looked up. */
  left: number;
}

const MAX_COMMITS = 50;
const MAX_RECENT = 3;

/**
 * Finds the sessions whose edits produced the lines of a file.
 * @param place `FILE`, `FILE:LINE` or `FILE:FIRST-LAST`
 * @throws SmartForkError USAGE
 */
export async function traceLines(
  deps: TraceDependencies,
  place: string,
  directory: string,
): Promise<TracedFile> {
  const { file, first, last } = placeIn(place);
  const path = resolve(directory, file);
  const blamed = await deps.git.blame(path);
  if (blamed === null) {
    throw new SmartForkError('USAGE', `git has no history for ${file}`, {
      hint: 'Give a file that is committed in a git repository, as FILE, FILE:LINE or FILE:FIRST-LAST.',
    });
  }
  const wanted = blamed.filter(({ line }) => line >= first && line <= last);
  if (wanted.length === 0 && blamed.length > 0)
    throw new SmartForkError('USAGE', `${file} has ${blamed.length} lines, not ${first}`);
  const groups = groupLines(wanted);
  const commits: TracedLines[] = [];
  for (const { commit, lines } of groups.slice(0, MAX_COMMITS)) {
    const where = { repo: folderFilter(dirname(path), deps.probe), file: basename(path) };
    const sessions =
      commit === null ? await lastEditors(deps, path, where.repo) : await findMakers(deps, commit, where);
    commits.push({ commit, lines, sessions });
  }
  return { file, commits, left: Math.max(0, groups.length - MAX_COMMITS) };
}

function placeIn(place: string): { file: string; first: number; last: number } {
  const [, file = place, from, to] = /^(.+?):(\d+)(?:[-,:](\d+))?$/.exec(place) ?? [];
  const first = from === undefined ? 1 : Number(from);
  const isRange = to !== undefined && place.includes(`${from}-${to}`);
  const last = from === undefined ? Number.POSITIVE_INFINITY : isRange ? Number(to) : first;
  if (first >= 1 && last >= first) return { file, first, last };
  throw new SmartForkError('USAGE', `invalid line range "${place}"`, {
    hint: 'Lines count from 1: FILE:LINE or FILE:FIRST-LAST.',
  });
}

/** Uncommitted lines come first, then commits by their number of lines. */
function groupLines(blamed: BlamedLine[]): { commit: CommitFacts | null; lines: [number, number][] }[] {
  const groups = new Map<string, { commit: CommitFacts | null; lines: [number, number][]; size: number }>();
  for (const { line, commit } of blamed) {
    const key = commit?.hash ?? '';
    const group = groups.get(key) ?? { commit, lines: [], size: 0 };
    const run = group.lines.at(-1);
    if (run !== undefined && run[1] === line - 1) run[1] = line;
    else group.lines.push([line, line]);
    group.size += 1;
    groups.set(key, group);
  }
  return [...groups.values()]
    .sort((a, b) => Number(b.commit === null) - Number(a.commit === null) || b.size - a.size)
    .map(({ commit, lines }) => ({ commit, lines }));
}

/** The newest sessions that changed the file. */
async function lastEditors(
  deps: TraceDependencies,
  path: string,
  repo: ReturnType<typeof folderFilter>,
): Promise<Maker[]> {
  const { sessions } = await deps.store.list({ repo, file: basename(path) }, MAX_RECENT);
  return makersOf(deps, sessions, 'time');
}
