import { describe, expect, it } from 'vitest';
import { excerptOf, shownExcerpt } from '../../../src/domain/memory/recall/excerpt.ts';
import type { Quotation } from '../../../src/domain/memory/recall/rank-statements.ts';
import { readStatements } from '../../../src/domain/memory/recall/read-statements.ts';
import type { ChunkPayload } from '../../../src/domain/point/point.ts';

function statementsOf(...lines: string[]) {
  const content = ['USER: Go on.', `ASSISTANT: ${lines[0]}`, ...lines.slice(1)].join('\n');
  const passage = { content, overlap: 0, turn: 0, chunk_index: 0, timestamp: null } as ChunkPayload;
  const message = readStatements([passage]).find(({ by }) => by === 'agent');
  if (message === undefined) throw new Error('nothing was read');
  return message;
}

/** The excerpt with the statements that begin so, and all between; others are [from, to, score], where the first has 1. */
function quoted(lines: string[], from: string, to = from, ...others: [string, string, number][]): string {
  const message = statementsOf(...lines);
  const place = (begin: string) => message.statements.findIndex(({ text }) => text.startsWith(begin));
  const scored = (first: string, last: string, score: number) => ({
    quotation: { message, first: place(first), last: place(last), headed: false } as Quotation,
    score,
  });
  const best = scored(from, to, 1);
  return shownExcerpt(
    excerptOf(
      best,
      others.map((one) => scored(...one)),
    ),
  );
}

const TABLE = [
  'Add these:',
  '| Secret | Value |',
  '|---|:--|',
  '| `ID` | the id |',
  '| `KEY` | the key |',
  'Then run it.',
];

describe('a quotation', () => {
  it('of rows has the names of the columns, and says where the table goes on', () => {
    expect(quoted(TABLE, '`ID`')).toBe('Secret · Value: `ID` · the id …');
    expect(quoted(TABLE, '`KEY`', 'Then')).toBe('… Secret · Value: `KEY` · the key; Then run it.');
    expect(quoted(TABLE, 'Secret', '`KEY`')).toBe(
      'Add these: Secret · Value: `ID` · the id; `KEY` · the key',
    );
  });

  it('of an item says where the item or the list goes on', () => {
    const list = ['- One. It has more. Blue too.', '- Two', 'The end.'];
    expect(quoted(list, 'One', 'It has')).toBe('One. It has more. …');
    expect(quoted(list, 'Blue')).toBe('… Blue too. …');
    expect(quoted(list, 'Two', 'The end')).toBe('… Two; The end.');
  });

  it('begins with the words that lead to a list', () => {
    const list = ['- Saved that history at local branch:', '  `fix/commits`', '- Updated the configuration'];
    expect(quoted(list, '`fix/commits`')).toBe('Saved that history at local branch: `fix/commits`');
  });

  it('keeps a number with what it numbers', () => {
    const texts = (...lines: string[]) => statementsOf(...lines).statements.map(({ text }) => text);
    expect(texts('It has two kinds: A. Prose that is empty. B. Lists that are long.')).toEqual([
      'It has two kinds:',
      'A. Prose that is empty.',
      'B. Lists that are long.',
    ]);
    expect(texts('Stops the click. 3.')).toEqual(['Stops the click.']);
    expect(texts('The level is 3. It rises.')).toEqual(['The level is 3.', 'It rises.']);
  });

  it('takes in what else answers in its message, with "…" for what it leaves out', () => {
    const said = ['One is it.', 'Two is odd.', 'Three is it too.', 'Four is next.', 'Five is not.'];
    expect(quoted(said, 'Three', 'Three', ['One', 'One', 0.9], ['Four', 'Four', 0.8])).toBe(
      'One is it. … Three is it too. Four is next.',
    );
    expect(quoted(said, 'One', 'Two', ['Two', 'Three', 0.9], ['Five', 'Five', 0.4])).toBe(
      'One is it. Two is odd. Three is it too.',
    );
    const long = (begin: string) => `${begin}${' word'.repeat(80)}.`;
    expect(quoted([long('One'), 'Two.', long('Three')], 'One', 'One', ['Three', 'Three', 1])).toBe(
      long('One'),
    );
  });

  it('begins with what its first words refer to', () => {
    const names = [
      'Call it lamp.',
      'I would not say torch.',
      'That is odd.',
      'It is small and bright.',
      'End.',
    ];
    expect(quoted(names, 'Call', 'Call', ['It is', 'It is', 0.9])).toBe(
      'Call it lamp. I would not say torch. That is odd. It is small and bright.',
    );
    expect(quoted(names, 'That', 'That')).toBe('I would not say torch. That is odd.');
  });

  it('has no line of brackets only', () => {
    expect(
      statementsOf('```js', 'run({', '});', '```', 'It runs.').statements.map(({ text }) => text),
    ).toEqual(['run({', 'It runs.']);
  });
});
