import type * as z from 'zod';
import type { outline } from '../../../domain/json/conversation.ts';
import type { SessionPayload } from '../../../domain/point/point.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import { titleOf } from '../../../domain/session/title-line.ts';
import type { FileEdit } from '../../../domain/session/transcript-step.ts';
import type { Redactor } from '../../../ports/redactor.ts';
import { matchTurns, type TurnMatch } from '../match-turns.ts';
import type { ReadDependencies } from '../retrieve-session.ts';
import { openTurns, type SessionTurns, type TurnCache } from './open-turns.ts';
import { readSteps, redactTurns } from './read-turn-steps.ts';
import type { TurnWindow } from './reader-turn.ts';
import { subagentTurns } from './subagent-turns.ts';

interface TurnReaderDependencies extends ReadDependencies {
  tokenizer: LexicalTokenizer;
  cache: TurnCache;
}

type OutlineEntry = z.infer<typeof outline>['turns'][number];

/** A range of turns with all their steps, of a session or of a subagent. Redacted. */
export async function readTurnWindow(
  deps: TurnReaderDependencies,
  session: SessionPayload,
  { from, count, subagent }: { from: number; count: number; subagent?: string },
): Promise<TurnWindow> {
  return openTurns(deps, session, async (whole) => {
    const opened = subagent === undefined ? whole : subagentTurns(whole, subagent);
    const shown = opened.turns.slice(from, from + count);
    const turns = await redactTurns(await readSteps(opened, shown), deps.redactor);
    return { from, total: opened.turns.length, problem: opened.problem, turns };
  });
}

/** One line per turn. */
export async function readOutline(
  deps: TurnReaderDependencies,
  session: SessionPayload,
  query?: string,
): Promise<OutlineEntry[]> {
  return openTurns(deps, session, async ({ turns }) => {
    const matching =
      query === undefined
        ? null
        : new Set(goodMatches(matchTurns(turns, query, deps.tokenizer)).map(({ turn }) => turn - 1));
    const titles = await redactTitles(turns, deps.redactor);
    return turns.map(({ index, timestamp, files, rewound }, at) => ({
      index,
      timestamp,
      title: titles[at] ?? '',
      files_count: files.length,
      rewound,
      has_match: matching === null ? undefined : matching.has(index),
    }));
  });
}

/** Without those that only have the query's frequent words. */
function goodMatches(matches: TurnMatch[]): TurnMatch[] {
  const best = matches[0]?.score ?? 0;
  return matches.filter(({ score }) => score * 2 >= best);
}

export async function countTurns(deps: TurnReaderDependencies, session: SessionPayload): Promise<number> {
  return openTurns(deps, session, async ({ turns }) => turns.length);
}

/** The files that a session changed, each with the turns that changed it. */
export async function readEditedFiles(
  deps: TurnReaderDependencies,
  session: SessionPayload,
): Promise<{ path: string; edits: number; turns: number[] }[]> {
  const files = new Map<string, number[]>(session.files_touched.map((path) => [path, []]));
  await openTurns(deps, session, async ({ turns }) => {
    for (const { index, files: changed } of turns)
      for (const path of changed) files.set(path, [...(files.get(path) ?? []), index]);
  });
  return [...files].map(([path, turns]) => ({ path, edits: turns.length, turns }));
}

/** The edits of one file, in order, redacted. */
export async function readFileEdits(
  deps: TurnReaderDependencies,
  session: SessionPayload,
  path: string,
): Promise<{ turn: number; before: string; after: string }[]> {
  return openTurns(deps, session, async (opened) => {
    const changing = opened.turns.filter(({ files }) => files.includes(path));
    const turns = await redactTurns(await readSteps(opened, changing), deps.redactor);
    return turns.flatMap(({ index, steps }) =>
      steps.flatMap((step) => (step.kind === 'tool' ? editsOf(step.edits, path, index) : [])),
    );
  });
}

function editsOf(edits: FileEdit[] | undefined, path: string, turn: number) {
  return (edits ?? [])
    .filter((edit) => edit.path === path)
    .map(({ before, after }) => ({ turn, before, after }));
}

/** UTF-16 units, enough for a title. */
const LOOKED_AT = 2000;

async function redactTitles(turns: SessionTurns['turns'], redactor: Redactor): Promise<string[]> {
  const texts = turns.map(({ user }) => ({ text: user.slice(0, LOOKED_AT) }));
  return (await redactor.redact(texts)).map(({ text }) => titleOf(text));
}
