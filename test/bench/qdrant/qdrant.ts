import type { Bench } from '../bench.ts';
import { measureAppend } from './qdrant-append.ts';
import { measureCorpus } from './qdrant-corpus.ts';
import { measureSearch } from './qdrant-search.ts';
import { openBenchServer } from './qdrant-server.ts';

export const qdrant: Bench = {
  name: 'qdrant',
  describe: 'a server: appending, sending all, searching (SMART_FORK_TEST_QDRANT_URL, else the double)',
  async run(context) {
    if (context.claudeHome === null) return 'no Claude Code transcripts';
    const server = await openBenchServer();
    try {
      return [
        ...(await measureSearch(context, server)),
        ...(await measureCorpus(context, server)),
        ...(await measureAppend(context, { ...server, collection: `${server.collection}_append` })),
      ];
    } finally {
      await server.close();
    }
  },
};
