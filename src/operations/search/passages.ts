import { searchChunks } from '../../app/search/search-chunks.ts';
import { count, text } from '../fields.ts';
import { filterOf, filters } from '../filters.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';

export const passages = operation({
  summary: 'find the best matching passages of all sessions',
  effect: 'reads',
  fields: {
    query: text({ about: 'what to search for', min: 1, max: 4000, required: true, also: 'q' }),
    limit: count({ about: 'number of passages', max: 200, default: 10, alias: 'n' }),
    ...filters,
  },
  async run(open, { query, limit, ...given }, caller) {
    const filter = await filterOf(open, given, caller);
    const found = await searchChunks(await opened(open), { query, limit, filter });
    const chunks = found.map(({ id, score, chunk }) => ({
      id,
      session_id: chunk.session_id,
      chunk_index: chunk.chunk_index,
      text: chunk.content.slice(chunk.overlap),
      score,
      turn: chunk.turn,
      timestamp: chunk.timestamp,
      project: chunk.repo_name,
      memory_types: chunk.markers,
    }));
    return { query, chunks };
  },
  isEmpty: ({ chunks }) => chunks.length === 0,
});
