import { expect, it } from 'vitest';
import { openIdeas } from '../../../src/app/memory/list-open.ts';
import { relatedIdeas } from '../../../src/app/memory/related-ideas.ts';
import type { IdeaPayload } from '../../../src/domain/point/point.ts';

function idea(session: string, day: number, given: Partial<IdeaPayload>): IdeaPayload {
  const common: Partial<IdeaPayload> = {
    type: 'idea',
    session_id: session,
    repo_id: 'shop',
    chunk_index: 0,
    confidence: 0.9,
    is_open: null,
    turn: 0,
    line: 1,
    quote: '',
    evidence: 'report',
    origin: 'transcript',
    entities: [],
    relations: [],
    timestamp: `2026-07-0${day}T09:00:00.000Z`,
  };
  return { ...common, ...given } as IdeaPayload;
}

it('lists work that is not merged, waits for something, or is a step of the agent’s list, until somebody commits in its repository', () => {
  const left = [
    'The branch still needs to be merged.',
    'The docs are not committed/merged yet.',
    'The tags are stale until the release workflow is dispatched.',
    'The rename is not released yet.',
    'Merge pull request #11 once the nightly pipeline is green.',
    'Consolidate the findings',
  ].map((content, chunk_index) =>
    idea('one', 2, {
      kind: 'todo',
      content,
      chunk_index,
      is_open: true,
      evidence: content.startsWith('Consolidate') ? 'todo-list' : 'report',
    }),
  );
  const commit = idea('two', 3, {
    kind: 'conclusion',
    content: 'Committed: Round the totals',
    evidence: 'commit',
  });
  const open = (...others: IdeaPayload[]) =>
    openIdeas([...left, ...others], { kinds: ['todo'] }).open.map(({ content }) => content);
  expect(open()).toHaveLength(6);
  expect(open(commit)).toEqual([
    'The rename is not released yet.',
    'Merge pull request #11 once the nightly pipeline is green.',
  ]);
});

it('lists the question that a session ended with until somebody commits in its repository', () => {
  const question = idea('one', 2, {
    kind: 'question',
    content: 'Should I commit without the failing hook?',
    is_open: true,
  });
  const todo = idea('one', 2, { kind: 'todo', content: 'The gateway is not deployed yet.', is_open: true });
  const commit = (day: number, given: Partial<IdeaPayload> = {}) =>
    idea('two', day, {
      kind: 'conclusion',
      content: 'Committed: Round the totals',
      evidence: 'commit',
      ...given,
    });
  const open = (...others: IdeaPayload[]) =>
    openIdeas([question, todo, ...others], { kinds: ['question', 'todo'] }).open.map(({ kind }) => kind);
  expect(open()).toEqual(['question', 'todo']);
  expect(open(commit(3))).toEqual(['todo']);
  expect(open(commit(1))).toEqual(['question', 'todo']);
  expect(open(commit(3, { repo_id: 'other' }))).toEqual(['question', 'todo']);
  const shared = { repo_key: 'github.com/acme/shop' };
  const inClone = [{ ...question, ...shared }, commit(3, { repo_id: 'clone', ...shared })];
  expect(openIdeas(inClone, { kinds: ['question'] }).open).toEqual([]);
});

it('shows what was chosen as the answer to a question, without the question', () => {
  const question = idea('one', 2, {
    kind: 'question',
    content: 'Which store?',
    is_open: false,
    evidence: 'choice',
  });
  const choice = idea('one', 2, {
    kind: 'decision',
    content: 'Which store? SQLite',
    chunk_index: 1,
    evidence: 'choice',
    relations: [{ kind: 'answers', to: 0, confidence: 1 }],
  });
  const related = relatedIdeas([question, choice]);
  expect(related.of(question).map((one) => one.idea.content)).toEqual(['SQLite']);
  expect(related.of(choice).map((one) => one.idea.content)).toEqual(['Which store?']);
});
