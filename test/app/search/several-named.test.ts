import { expect, it } from 'vitest';
import { severalNamed } from '../../../src/app/search/repository-filter.ts';
import { sessionRecord } from '../../support/transcripts/sessions.ts';

const ours = { repo_id: 'a', repo_key: 'github.com/acme/shop', repo_path: '/srv/shop' };
const clone = { ...ours, repo_id: 'b', repo_path: '/home/dev/shop' };
const unshared = { repo_id: 'c', repo_key: null, repo_path: '/tmp/shop' };

function storeOf(...sessions: Parameters<typeof sessionRecord>[0][]) {
  return { list: async () => ({ sessions: sessions.map(sessionRecord), cursor: null }) };
}

it('says which repositories have a name, of which clones are one', async () => {
  expect(await severalNamed('shop', storeOf(ours, clone, unshared))).toEqual({
    code: 'SEVERAL_REPOSITORIES',
    message: '2 repositories are called shop: github.com/acme/shop (2 sessions), /tmp/shop (1 session)',
    hint: 'Give one as owner/name or as a path.',
  });
  expect(await severalNamed('shop', storeOf(ours, clone))).toBeNull();
  expect(
    await severalNamed(
      'shop',
      storeOf({ ...ours, repo_key: 'github.com/acme/shop' }, { ...ours, repo_key: null }),
    ),
  ).toBeNull();
});

it('says nothing of a path or an owner’s repository', async () => {
  for (const name of ['.', '/srv/shop', 'acme/shop'])
    expect(await severalNamed(name, storeOf(ours, unshared))).toBeNull();
});
