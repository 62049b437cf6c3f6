import { transcriptPaths } from '../corpus.ts';
import type { OpenCorpus } from '../open-corpus.ts';
import { commitSets, type QuerySet } from '../query-sets.ts';
import { type Query, readQueries, selectQueries } from '../read-queries.ts';
import type { Benchmark, BenchmarkQuery } from './benchmark-file.ts';
import { blindQueries, labelsOf } from './label-queries.ts';
import { rankQueries } from './rank-queries.ts';

/** A corpus's queries, each worded as in the commit and in the other ways that are known, with labels and rankings. */
export async function exportCommits(open: OpenCorpus): Promise<Omit<Benchmark, 'format'>> {
  const sessions = open.sessions.map(({ session_id }) => session_id);
  const { queries } = selectQueries(readQueries(open.corpus.queries), new Set(sessions));
  const sets = wordings(queries);
  const blind = blindQueries(
    sets.flatMap((set) => set.queries),
    transcriptPaths(open.corpus),
  );
  const byId = new Map<string, Query>();
  const exported: BenchmarkQuery[] = [];
  for (const { name, queries: worded } of sets) {
    for (const [index, query] of worded.entries()) {
      const id = `${open.corpus.agent}/${name}/${query.commit?.slice(0, 8) ?? index}`;
      byId.set(id, query);
      exported.push({
        id,
        corpus: open.corpus.name,
        sets: [name, `${name}, ${open.corpus.name}`],
        text: query.text,
        also: query.also,
        time: query.time === null ? null : new Date(query.time).toISOString(),
        commit: query.commit,
        labels: labelsOf(query, open.sessions),
        blind: blind.has(query),
      });
    }
  }
  return {
    corpora: [{ name: open.corpus.name, sessions }],
    queries: exported,
    rankings: await rankQueries(open, byId),
  };
}

/** The queries as they are, and those commits in other words that the sets know, each with further phrasings where there are some. */
function wordings(queries: Query[]): QuerySet[] {
  const phrased = commitSets(queries).filter(({ name }) => name.endsWith(', phrased'));
  const [subjects, ...others] = phrased.map(({ name, ...set }) => ({
    ...set,
    name: name.replace(/, phrased$/, ''),
  }));
  const also = new Map(subjects?.queries.map((query) => [query.commit, query.also]));
  return [
    {
      name: 'subjects',
      queries: queries.map((query) => ({ ...query, also: also.get(query.commit) ?? query.also })),
    },
    ...others,
  ];
}
