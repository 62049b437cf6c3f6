import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Terminal } from '../../../../src/cli/terminal/terminal.ts';
import { transcriptPaths } from '../../corpus.ts';
import { type OpenCorpus, openCorpus } from '../../open-corpus.ts';
import type { Query } from '../../read-queries.ts';
import type { Benchmark, Rankings } from '../benchmark-file.ts';
import { blindQueries } from '../label-queries.ts';
import { rankQueries } from '../rank-queries.ts';
import type { Haystack } from './haystack.ts';
import { transcriptId, writeHaystack } from './write-haystack.ts';

/** Indexes a haystack on its own, and ranks its sessions for each of its questions. Sessions have the haystack's ids. */
export async function exportHaystack(
  haystack: Haystack,
  options: { work: string; model: string | null; terminal: Terminal },
): Promise<Omit<Benchmark, 'format'>> {
  const home = mkdtempSync(join(options.work, 'haystack-'));
  writeHaystack(home, haystack);
  const corpus = { name: haystack.name, agent: 'claude', home, queries: '' } as const;
  try {
    const open = await openCorpus(corpus, { ...options, work: home });
    try {
      return await rankHaystack(open, haystack);
    } finally {
      await open.parts.close();
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function rankHaystack(open: OpenCorpus, haystack: Haystack): Promise<Omit<Benchmark, 'format'>> {
  const { name, sessions, questions } = haystack;
  const idOf = new Map(sessions.map(({ id }) => [transcriptId(name, id), id]));
  const asked = questions.map(({ id, text, sessions: right, time }) => {
    const query = {
      text,
      sessions: right.map((one) => transcriptId(name, one)),
      time,
      commit: null,
      also: [],
    };
    return [id, query] as [string, Query];
  });
  const blind = blindQueries(
    asked.map(([, query]) => query),
    transcriptPaths(open.corpus),
  );
  const blindIds = new Set(asked.filter(([, query]) => blind.has(query)).map(([id]) => id));
  return {
    corpora: [{ name, sessions: sessions.map(({ id }) => id) }],
    queries: questions.map(({ id, sets, text, sessions: right, time }) => ({
      id,
      corpus: name,
      sets,
      text,
      also: [],
      time: time === null ? null : new Date(time).toISOString(),
      commit: null,
      labels: right.map((session) => ({ session, trustworthy: null })),
      blind: blindIds.has(id),
    })),
    rankings: renamed(await rankQueries(open, new Map(asked)), idOf),
  };
}

function renamed(rankings: Rankings, idOf: Map<string, string>): Rankings {
  const rename = (found: string[]) => found.flatMap((id) => idOf.get(id) ?? []);
  return Object.fromEntries(
    Object.entries(rankings).map(([tool, ranking]) => [
      tool,
      Object.fromEntries(Object.entries(ranking).map(([id, found]) => [id, rename(found)])),
    ]),
  );
}
