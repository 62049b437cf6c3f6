import { expect, it } from 'vitest';
import { forkOptions } from '../../../src/mcp/fork/fork-options.ts';
import type { ForkResult } from '../../../src/mcp/fork/fork-result.ts';

it('offers five sessions unless the first is a strong match', () => {
  const offered = (strength: ForkResult['strength']) => {
    const results = Array.from({ length: 7 }, (_, at) => {
      const session_id = `8402b1ed-99dc-417d-86a9-36a14780360${at}`;
      return {
        rank: at + 1,
        session_id,
        title: 'Rotate',
        date: null,
        repo_name: 'widgets',
        match: 'keyword match',
        strength,
        recommended: false,
      };
    });
    return forkOptions(results as unknown as ForkResult[], Date.now()).map(({ kind }) => kind);
  };
  expect(offered('strong')).toEqual(['session', 'session', 'session', 'fresh', 'refine']);
  for (const strength of ['likely', 'possible', 'none'] as const)
    expect(offered(strength)).toEqual([...Array(5).fill('session'), 'fresh', 'refine']);
});
