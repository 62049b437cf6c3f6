import { describe, expect, it } from 'vitest';
import { relateIdeas } from '../../../src/domain/memory/relate-ideas.ts';
import type { IdeaPayload } from '../../../src/domain/point/point.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { cpuTime } from '../../support/cpu-time.ts';

type Given = Partial<IdeaPayload> & Pick<IdeaPayload, 'kind' | 'content'>;

/** One idea per session, a day apart. */
function ideas(...given: Given[]): IdeaPayload[] {
  return given.map((one, day) => {
    const idea: Partial<IdeaPayload> = {
      type: 'idea',
      session_id: `session-${day}`,
      chunk_index: 0,
      confidence: 0.8,
      is_open: null,
      repo_key: null,
      span: 0,
      turn: 0,
      line: 1,
      quote: one.content,
      evidence: 'report',
      origin: 'transcript',
      entities: [],
      relations: [],
      timestamp: `2026-07-0${day + 1}T09:00:00.000Z`,
      ...one,
    };
    return idea as IdeaPayload;
  });
}

/** Relations in the form `kind later → earlier`, by session number. */
function told(given: IdeaPayload[]): string[] {
  const names = new Map(given.map((one, at) => [pointId(one.session_id, 'idea', one.chunk_index), at]));
  return relateIdeas(given).map(({ kind, from, to }) => `${kind} ${names.get(from)} → ${names.get(to)}`);
}

describe('relations between the ideas of several sessions', () => {
  it('relates what says by its name that something is closed to what was left of it, in one repository', () => {
    const left = { kind: 'todo', content: 'Issue `acme/shop#15` is still open.', is_open: true } as const;
    const closed = { kind: 'conclusion', content: 'The duplicate shop#15 was closed today.' } as const;
    expect(told(ideas(left, closed))).toEqual(['answers 1 → 0']);
    expect(told(ideas(left, { ...closed, repo_id: 'other' }))).toEqual([]);
    expect(told(ideas(left, { ...closed, content: 'shop#15 will be closed soon.' }))).toEqual([]);
  });

  it('relates nothing across repositories, whatever their folders are called', () => {
    const earlier: Given = {
      kind: 'decision',
      content: 'Always round invoice totals before tax',
      repo_id: 'one',
    };
    const later: Given = { kind: 'decision', content: 'Never round invoice totals before tax' };
    expect(told(ideas(earlier, { ...later, repo_id: 'one' }))).toEqual(['contradicts 1 → 0']);
    expect(told(ideas(earlier, { ...later, repo_id: 'two' }))).toEqual([]);
    const clones = [
      { ...earlier, repo_key: 'host/acme/shop' },
      { ...later, repo_key: 'host/acme/shop', repo_id: 'two' },
    ];
    expect(told(ideas(...clones))).toEqual(['contradicts 1 → 0']);
    const same: Given = { kind: 'problem', content: 'The importer drops the last line of a file' };
    expect(told(ideas({ ...same, repo_id: 'one' }, { ...same, repo_id: 'one' }))).toEqual([
      'relates_to 1 → 0',
    ]);
    expect(told(ideas({ ...same, repo_id: 'one' }, { ...same, repo_id: 'two' }))).toEqual([]);
  });

  it('lets a later decision answer an open question', () => {
    const question: Given = {
      kind: 'question',
      content: 'Should carts keep prices in cents or in floats?',
      is_open: true,
    };
    const answer: Given = { kind: 'decision', content: 'Carts keep prices in cents, never in floats' };
    expect(told(ideas(question, answer))).toEqual(['answers 1 → 0']);
    expect(told(ideas({ ...question, is_open: false }, answer))).toEqual([]);
    expect(told(ideas(answer, question))).toEqual([]);
  });

  it('does not complete a todo by a text that says that it is still to be done', () => {
    const todo: Given = {
      kind: 'todo',
      content: 'Add the six signing secrets to the repository',
      is_open: true,
    };
    const list = 'The six signing secrets of the repository';
    expect(told(ideas(todo, { kind: 'conclusion', content: `${list} are set.` }))).toEqual(['answers 1 → 0']);
    expect(told(ideas(todo, { kind: 'conclusion', content: `${list} must be set.` }))).toEqual([]);
  });

  it('relates pull requests by what is said of them, not by the words of their links', () => {
    const link = 'https://github.com/acme/shop/pull';
    const about = (number: number, content: string): Given => ({
      kind: 'conclusion',
      content: `${content} ${link}/${number}`,
      entities: [`pull-request:acme/shop#${number}`],
    });
    expect(told(ideas(about(15, 'Updated the pull request:'), about(92, 'Draft created:')))).toEqual([]);
    const text = 'The totals of the cart are rounded once in the gateway:';
    expect(told(ideas(about(15, text), about(15, text)))).toHaveLength(1);
  });

  it('closes what was left in a repository only there, or in its clones', () => {
    const question: Given = {
      kind: 'question',
      content: 'Should carts keep prices in cents?',
      is_open: true,
    };
    const answer: Given = { kind: 'decision', content: 'Carts keep prices in cents' };
    const between = (one: string | null, other: string | null) =>
      told(ideas({ ...question, repo_id: 'a', repo_key: one }, { ...answer, repo_id: 'b', repo_key: other }));
    expect(between('github.com/acme/shop', 'github.com/acme/shop')).toEqual(['answers 1 → 0']);
    expect(between('github.com/acme/shop', 'github.com/acme/till')).toEqual([]);
    expect(between(null, null)).toEqual([]);
  });

  it('lets later work end an open todo', () => {
    const todo: Given = { kind: 'todo', content: 'Measure the invoice cache under load', is_open: true };
    const done: Given = {
      kind: 'conclusion',
      content: 'Committed: measure the invoice cache under load',
      evidence: 'commit',
    };
    expect(told(ideas(todo, done))).toEqual(['answers 1 → 0']);
    expect(told(ideas(todo, { ...todo, is_open: false }))).toEqual(['answers 1 → 0']);
    expect(told(ideas(todo, todo))).toEqual(['relates_to 1 → 0']);
  });

  it.each([
    [
      'Add error handling to the upload worker',
      'Add error handling to the parser worker',
      'Handle errors in the upload worker',
    ],
    [
      'The French translations are not updated yet',
      'Update the German translations',
      'Update French translations',
    ],
    [
      'Migrate the orders table to Postgres',
      'Migrate the customers table to Postgres',
      'Migrate orders table to Postgres',
    ],
    [
      'Remove the deprecated v1 endpoint',
      'Remove the deprecated v2 endpoint',
      'fix: remove deprecated v1 endpoint',
    ],
  ])('ends "%s" with a commit about it, not about something similar', (content, similar, same) => {
    const todo: Given = { kind: 'todo', content, is_open: true };
    const commit = (subject: string): Given => ({
      kind: 'conclusion',
      content: `Committed: ${subject}`,
      evidence: 'commit',
    });
    expect(told(ideas(todo, commit(similar)))).toEqual([]);
    expect(told(ideas(todo, commit(same)))).toEqual(['answers 1 → 0']);
  });

  it.each([
    ['Document the retry queue', 'Create the retry queue', 'docs: document the retry queue'],
    ['Write tests for the retry queue', 'Remove the retry queue', 'Write tests for the retry queue'],
    ['Implement the retry queue', 'Remove the retry queue', 'Add the retry queue'],
    ['Rename the ledger module', 'Revert "Rename the ledger module"', 'Rename the ledger module'],
  ])('ends "%s" with what it asks for, not with "%s"', (content, other, same) => {
    const todo: Given = { kind: 'todo', content, is_open: true };
    const commit = (subject: string): Given => ({
      kind: 'conclusion',
      content: `Committed: ${subject}`,
      evidence: 'commit',
    });
    expect(told(ideas(todo, commit(other)))).toEqual([]);
    expect(told(ideas(todo, commit(same)))).toEqual(['answers 1 → 0']);
  });

  it('lets the decision that follows answer an open choice, though they share no word', () => {
    const question: Given = {
      kind: 'question',
      content: 'Which embedded database should the gateway use?',
      is_open: true,
    };
    const answer: Given = { kind: 'decision', content: 'We decided to use SQLite' };
    expect(told(ideas(question, answer))).toEqual(['answers 1 → 0']);
    expect(told(ideas({ ...question, repo_id: 'other' }, answer))).toEqual([]);
    const late = { ...answer, timestamp: '2026-08-01T09:00:00.000Z' };
    expect(told(ideas(question, late))).toEqual([]);
  });

  it('lets a switch replace the decision for what was given up', () => {
    const [used, switched]: Given[] = [
      { kind: 'decision', content: 'We decided to use SQLite' },
      { kind: 'decision', content: 'We changed from SQLite to LMDB' },
    ];
    expect(told(ideas(used as Given, switched as Given))).toEqual(['supersedes 1 → 0']);
    const other: Given = { kind: 'decision', content: 'We decided to use Postgres' };
    expect(told(ideas(other, switched as Given))).toEqual([]);
  });

  it('lets another choice on the same question replace the earlier one', () => {
    const choice = (answer: string): Given => ({
      kind: 'decision',
      content: `Which store should the cart use? ${answer}`,
      quote: answer,
      evidence: 'choice',
    });
    expect(told(ideas(choice('SQLite'), choice('Redis')))).toEqual(['supersedes 1 → 0']);
    expect(told(ideas(choice('SQLite'), choice('SQLite')))).toEqual(['relates_to 1 → 0']);
    expect(
      told(
        ideas(
          { kind: 'decision', content: 'Carts are stored in Redis with one key per customer' },
          { kind: 'decision', content: 'Carts are stored in SQLite instead of Redis, a row per customer' },
        ),
      ),
    ).toEqual(['supersedes 1 → 0']);
  });

  it('keeps never and always apart, as a contradiction', () => {
    expect(
      told(
        ideas(
          { kind: 'decision', content: 'Always round invoice totals before tax' },
          { kind: 'decision', content: 'Never round invoice totals before tax' },
        ),
      ),
    ).toEqual(['contradicts 1 → 0']);
  });

  it('relates a decision to the earlier one that it builds on, and unrelated ones not at all', () => {
    expect(
      told(
        ideas(
          { kind: 'decision', content: 'The invoice cache lives in memory, bounded by entries' },
          { kind: 'conclusion', content: 'The invoice cache is bounded to 500 entries in memory' },
          { kind: 'decision', content: 'Releases are signed with the company certificate' },
        ),
      ),
    ).toEqual(['builds_on 1 → 0']);
  });

  it('relates no ideas of the same session, and forms no cycle', () => {
    const same = ideas(
      { kind: 'decision', content: 'Always round invoice totals before tax' },
      { kind: 'decision', content: 'Never round invoice totals before tax' },
    ).map((idea, at) => ({ ...idea, session_id: 'one', chunk_index: at }));
    expect(relateIdeas(same)).toEqual([]);
    const twins = ideas(
      { kind: 'decision', content: 'Always round invoice totals before tax', timestamp: null },
      { kind: 'decision', content: 'Never round invoice totals before tax', timestamp: null },
    );
    expect(told(twins)).toHaveLength(1);
  });

  it('relates ideas in little more than linear time', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...(ideas({
          kind: 'decision',
          content: `Store part${at >> 3} of cart${at >> 4} in shard${at >> 5} of it`,
        })[0] as IdeaPayload),
        session_id: `s${at}`,
      }));
    const timed = (count: number) => {
      const given = many(count);
      return cpuTime(() => relateIdeas(given));
    };
    timed(1000);
    const few = Math.max(50, timed(3000));
    expect(timed(12_000)).toBeLessThan(10 * few);
  });
});
