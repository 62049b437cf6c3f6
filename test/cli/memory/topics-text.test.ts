import { expect, it } from 'vitest';
import { renderTopics } from '../../../src/cli/memory/render-memory.ts';
import type { TopicView } from '../../../src/domain/memory/memory-result.ts';
import { plainLook, searchResult } from '../../support/render/samples.ts';

it('prints a prompt once, as the name of the first topic that it begins', () => {
  const prompt = 'Move the prices of the cart to cents, and keep the old totals readable';
  const topic = (index: number, parent: number | null, name: string, summary: string) =>
    ({
      session_id: 'a',
      index,
      parent,
      depth: parent === null ? 0 : 1,
      name,
      summary,
      first_turn: 0,
      last_turn: 0,
      commits: [],
      ideas: {},
      open: 0,
    }) as unknown as TopicView;
  const cut = 'Move the prices of the cart to cents…';
  const topics = [
    topic(0, null, cut, `${prompt} · Outcome: Moved them.`),
    topic(1, 0, cut, prompt),
    topic(2, 0, 'Round the totals', 'Round the totals half up. · Open: 1'),
  ];
  const text = renderTopics([{ session: searchResult(), topics }], plainLook(120), 0);
  expect(text.match(/Move the prices/g)).toHaveLength(1);
  expect(text.match(/Round the totals/g)).toHaveLength(1);
  expect(text).toContain('Outcome: Moved them.');
  expect(text).toContain('half up. · Open: 1');
});
