import { expect, it } from 'vitest';
import { renderMemoryStats } from '../../../src/cli/memory/render-memory.ts';
import { plainLook } from '../../support/render/samples.ts';

it('names what findings are about in words, not as keys, and cuts long names', () => {
  const stats = { sessions: 2, ideas: 3, topics: 1, open: 0, waiting: 0, by_kind: [] };
  const by_entity = [
    { value: 'concept:pgbouncer', count: 3 },
    { value: 'error:formatter would have printed the following content for the file', count: 46 },
    { value: 'pull-request:#12', count: 1 },
  ];
  const text = renderMemoryStats({ ...stats, by_entity }, plainLook(120));
  expect(text.replace(/\n\s+/g, ' ')).toMatch(
    /About {9}pgbouncer 3, error formatter would have printed the… 46, pull request #12 1/,
  );
});
