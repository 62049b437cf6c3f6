import { expect, it } from 'vitest';
import { findSession } from '../../../src/app/sessions/find-session.ts';
import { tagSession } from '../../../src/app/sessions/tag-session.ts';
import { findDuplicates } from '../../../src/app/setup/find-duplicates.ts';
import { suggestTags } from '../../../src/app/tags/suggest-tags.ts';
import { createWorld, indexWorld, openWorld } from '../../support/machines/world.ts';
import {
  bashPair,
  type ClaudeLine,
  line,
  stampLines,
  toolPair,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';

const [FIRST, SECOND, THIRD] = ['aaaa1111', 'bbbb2222', 'cccc3333'] as const;
const LONG =
  'Please make the checkout of the web shop retry failed payments three times before it gives up for good';

const work = (prompt: string, file: string): ClaudeLine[] => [
  line.user(prompt),
  ...toolPair('Edit', { file_path: `/home/dev/widgets/${file}` }, 'ok'),
  line.assistant('Done.'),
];

it('suggests the tags of sessions that changed the same files, then commit scopes and folders', async () => {
  const store = await worldOf({
    [FIRST]: work('Retry payments', 'src/billing/pay.ts'),
    [SECOND]: [
      ...work('Retry payments again', 'src/billing/pay.ts'),
      ...bashPair('git commit -m "fix(retries): wait"', '[main abc1234] fix(retries): wait\n 1 file changed'),
    ],
    [THIRD]: work('Something else', 'docs/readme.md'),
  });
  await tagSession(store, FIRST, { add: ['payments'] });
  await tagSession(store, THIRD, { add: ['writing'] });
  expect(await suggestTags(store, await findSession(store, SECOND))).toEqual([
    'payments',
    'retries',
    'billing',
  ]);
  await tagSession(store, SECOND, { add: ['payments'] });
  expect(await suggestTags(store, await findSession(store, SECOND))).not.toContain('payments');
});

it('lists sessions that began with the same long prompt and changed the same files', async () => {
  const store = await worldOf({
    [FIRST]: work(LONG, 'src/pay.ts'),
    [SECOND]: work(`${LONG} `, 'src/pay.ts'),
    [THIRD]: work(LONG, 'src/other.ts'),
  });
  const groups = await findDuplicates(store);
  expect(groups.map((group) => group.map(({ session_id }) => session_id).sort())).toEqual([[FIRST, SECOND]]);
});

it('does not list sessions that only begin with the same few words', async () => {
  const store = await worldOf({
    [FIRST]: work('commit', 'src/pay.ts'),
    [SECOND]: work('commit', 'src/pay.ts'),
  });
  expect(await findDuplicates(store)).toEqual([]);
});

async function worldOf(sessions: Record<string, ClaudeLine[]>) {
  const world = createWorld();
  for (const [at, [id, lines]] of Object.entries(sessions).entries())
    writeClaude(
      world.claudeHome,
      id,
      stampLines(lines, { sessionId: id, start: `2026-03-0${at + 1}T09:00:00.000Z` }),
    );
  const parts = await openWorld(world);
  await indexWorld(parts);
  return parts.store();
}
