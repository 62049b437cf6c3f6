import { describe, expect, it } from 'vitest';
import { forkTree, readForkLinks } from '../../../src/app/fork/fork-tree.ts';
import { createWorld, indexWorld, openWorld, searchWorld } from '../../support/machines/world.ts';
import {
  copyLines,
  line,
  SESSION_ID,
  stampLines,
  uuidOf,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';

describe('the titles of a family of forks', () => {
  it('say what is new in each, and differ in the list and in the tree', async () => {
    const world = createWorld();
    const parent = stampLines([
      line.user('Train the model on the new corpus.'),
      line.assistant('It trains.'),
      line.customTitle('corpus-training'),
    ]);
    writeClaude(world.claudeHome, SESSION_ID, parent);
    const prompts = {
      first: 'log errors when the gradient is invalid',
      second: 'Clip the gradient norm at one.',
      third: 'Clip the gradient norm at one.',
    };
    for (const [seed, prompt] of Object.entries(prompts)) {
      const id = uuidOf(seed);
      const own = [line.customTitle('corpus-training (Branch)'), line.user(prompt), line.assistant('Done.')];
      const after = { sessionId: id, seed: id, after: parent.length };
      writeClaude(world.claudeHome, id, [
        ...copyLines(parent, 'branch', { sessionId: id }),
        ...stampLines(own, after),
      ]);
    }
    const parts = await openWorld(world);
    await indexWorld(parts);
    const store = await parts.store();
    const { sessions } = await store.list({}, 10);
    expect(sessions.map(({ title }) => title).toSorted()).toEqual([
      '+ Clip the gradient norm at one.',
      '+ Clip the gradient norm at one.',
      '+ log errors when the gradient is invalid',
      'corpus-training',
    ]);
    const tree = forkTree(parts, await readForkLinks(store), SESSION_ID);
    const inTree = [tree, ...tree.forks].map(({ session }) => session?.title);
    expect(new Set(inTree).size).toBe(4);
    const { results } = await searchWorld(parts, { query: 'gradient norm', limit: 10 });
    expect(new Set(results.map(({ title }) => title)).size).toBe(results.length);
  });
});
