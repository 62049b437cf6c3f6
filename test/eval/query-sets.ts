import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Query } from './read-queries.ts';

/** Queries of one kind, and what the corpus says about them. */
export interface QuerySet {
  name: string;
  queries: Query[];
}

/**
 * The sets in `sets/` for those of a corpus's queries that are commits: the same commits described in other words, in one or two words,
 * and each with further phrasings. Their author had seen the subjects but no transcript, so the phrasings know more than a paraphrase
 * would. The guesses are two phrasings by an author who had seen only the paraphrase: technical words, and a sentence of the answer.
 */
export function commitSets(subjects: Query[]): QuerySet[] {
  const byCommit = (file: string) =>
    new Map(readSet(file).map((line) => [line.commit ?? '', line.query ?? '']));
  const also = new Map(readSet('phrasings.jsonl').map((line) => [line.commit ?? '', line.also ?? []]));
  const commits = subjects.filter(({ commit }) => also.has(startOf(commit)));
  const described = (texts: Map<string, string>): Query[] =>
    commits.map((query) => ({ ...query, text: texts.get(startOf(query.commit)) ?? '' }));
  const phrased = (queries: Query[]): Query[] =>
    queries.map((query) => ({ ...query, also: also.get(startOf(query.commit)) ?? [] }));
  const guessed = new Map(readSet('guesses.jsonl').map((line) => [line.commit ?? '', line.also ?? []]));
  const paraphrases = described(byCommit('paraphrases.jsonl'));
  const short = described(byCommit('short.jsonl'));
  const guesses = commits.map((query) => {
    const [text = '', ...others] = also.get(startOf(query.commit)) ?? [];
    return { ...query, text, also: others };
  });
  return [
    { name: 'subjects', queries: commits },
    { name: 'subjects, phrased', queries: phrased(commits) },
    { name: 'phrasings alone', queries: guesses },
    { name: 'paraphrases', queries: paraphrases },
    { name: 'paraphrases, phrased', queries: phrased(paraphrases) },
    {
      name: 'paraphrases, guessed',
      queries: paraphrases.flatMap((query) => {
        const also = guessed.get(startOf(query.commit));
        return also === undefined ? [] : [{ ...query, also }];
      }),
    },
    { name: 'one or two words', queries: short },
    { name: 'one or two words, phrased', queries: phrased(short) },
  ].filter(({ queries }) => queries.length > 0);
}

/** The sets name a commit by its first eight digits. */
function startOf(commit: string | null): string {
  return (commit ?? '').slice(0, 8);
}

/** Questions about work that nobody did in the corpora: the short ones, and the sentences. */
export function unanswerableSets(): QuerySet[] {
  const all = readSet('no-answer.jsonl').map(
    ({ query = '' }): Query => ({ text: query, sessions: [], time: null, commit: null, also: [] }),
  );
  const isShort = ({ text }: Query) => text.split(' ').length <= 3;
  return [
    { name: 'one or two words', queries: all.filter(isShort) },
    { name: 'sentences', queries: all.filter((query) => !isShort(query)) },
  ];
}

const SetLine = z.object({
  commit: z.string().optional(),
  query: z.string().optional(),
  also: z.array(z.string()).optional(),
});

function readSet(file: string) {
  return readFileSync(join('test', 'eval', 'sets', file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => SetLine.parse(JSON.parse(line)));
}
