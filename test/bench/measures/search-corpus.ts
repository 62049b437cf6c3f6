import { join } from 'node:path';
import { embedPending } from '../../../src/app/index/embed-pending.ts';
import { searchSessions } from '../../../src/app/search/search-sessions.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import type { SearchMode } from '../../../src/domain/search/search.ts';
import { readQueries } from '../../eval/read-queries.ts';
import { searchLists } from '../../support/stores/ask-store.ts';
import type { Bench, Row } from '../bench.ts';
import { indexWords, openLibrary } from '../library.ts';
import { slowestOf } from '../timing.ts';

const ROUNDS = 4;
const LIMITS = { sessions: 100, chunks: 200, intents: 200 };

export const search: Bench = {
  name: 'search',
  describe: 'searches of the Claude Code corpus in a process that runs already',
  async run({ claudeHome, queries, model, work }) {
    if (claudeHome === null || queries === null) return 'no Claude Code transcripts';
    const parts = await openLibrary(join(work, 'claude'), { claude: [claudeHome], model });
    await indexWords(parts);
    const texts = readQueries(queries).map(({ text }) => text);
    const rows = [
      await measure(parts, texts, 'keyword', 30),
      await measurePhrasings(parts, texts, 'keyword'),
    ];
    if ((await parts.embedding.state()).state === 'ready') {
      await embedPending({ store: await parts.store(), embedder: await parts.embedding.embedder() });
      rows.push(await measure(parts, texts, 'hybrid', 60), await measurePhrasings(parts, texts, 'hybrid'));
    } else {
      process.stderr.write('search: no hybrid row: there is no model\n');
    }
    await parts.close();
    return rows;
  },
};

/** A whole search, compared with only the store's lists (and the model for the query's vector). */
async function measure(parts: Parts, texts: string[], mode: SearchMode, most: number): Promise<Row> {
  const { tokenizer, embedding } = parts;
  const store = await parts.store();
  const floor = async (text: string) => {
    const vector = mode === 'keyword' ? null : await (await embedding.embedder()).embedQuery(text);
    await searchLists(store, { tokens: tokenizer.tokens(text), vector, filter: {}, limits: LIMITS });
  };
  const whole = (query: string) => searchSessions({ ...parts, store }, { query, mode });
  const times = await slowestOf(texts, ROUNDS, { floor, whole });
  return {
    what: `search by ${nameOf(mode)}, in process, p95`,
    measured: { value: times.whole, unit: 'ms' },
    floor: { value: times.floor, unit: 'ms', label: 'lists alone' },
    target: { of: 'measured', most },
  };
}

/** A search with three further phrasings, which are other queries of the corpus, compared with a search without any. */
async function measurePhrasings(parts: Parts, texts: string[], mode: SearchMode): Promise<Row> {
  const deps = { ...parts, store: await parts.store() };
  const others = (query: string) => {
    const at = texts.indexOf(query);
    return [1, 2, 3].map((step) => texts[(at + step) % texts.length] ?? '');
  };
  const times = await slowestOf(texts, ROUNDS, {
    single: (query) => searchSessions(deps, { query, mode }),
    several: (query) => searchSessions(deps, { query, mode, also: others(query) }),
  });
  return {
    what: `… with three further phrasings`,
    measured: { value: times.several, unit: 'ms' },
    floor: { value: times.single, unit: 'ms', label: 'the query alone' },
    target: { of: 'ratio', most: 1.6 },
  };
}

function nameOf(mode: SearchMode): string {
  return mode === 'hybrid' ? 'words and meaning' : 'keyword';
}
