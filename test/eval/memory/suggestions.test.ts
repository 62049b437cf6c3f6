import { expect, it } from 'vitest';
import { createWorld, indexWorld, openWorld } from '../../support/machines/world.ts';
import { line, stampLines, toolPair, writeClaude } from '../../support/transcripts/claude-transcripts.ts';
import { evaluateSuggestions } from './evaluate-suggestions.ts';

it('counts a suggestion as right if both sessions changed the same file', async () => {
  const world = createWorld();
  const sessions = [
    ['aaaa1111', 'Start', 'src/pay.ts'],
    ['bbbb2222', 'Something else', 'src/other.ts'],
    ['cccc3333', 'Retry in src/pay.ts twice', 'src/pay.ts'],
  ] as const;
  for (const [at, [id, prompt, file]] of sessions.entries())
    writeClaude(
      world.claudeHome,
      id,
      stampLines(
        [
          line.user(prompt),
          ...toolPair('Edit', { file_path: `/home/dev/widgets/${file}` }, 'ok'),
          line.assistant('Done.'),
        ],
        { sessionId: id, start: `2026-03-0${at + 1}T09:00:00.000Z` },
      ),
    );
  const parts = await openWorld(world);
  await indexWorld(parts);
  const rules = await evaluateSuggestions(await parts.store());
  const of = (rule: RegExp) => rules.find((one) => rule.test(one.rule));
  expect(of(/newest of the repository/)).toMatchObject({ sessions: 2, shown: 2, precision: { value: 0 } });
  expect(of(/names, at least 1/)).toMatchObject({ shown: 1, precision: { value: 1 } });
  expect(of(/names, at least 2/)).toMatchObject({ shown: 0, precision: null });
});
