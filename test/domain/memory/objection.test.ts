import { describe, expect, it } from 'vitest';
import { objectionTo } from '../../../src/domain/memory/recall/objection.ts';
import type { SaidMessage } from '../../../src/domain/memory/recall/read-statements.ts';

function said(by: SaidMessage['by'], turn: number, ...texts: string[]): SaidMessage {
  const statements = texts.map((text) => ({ text, label: '', form: 'sentence' as const }));
  return { by, turn, timestamp: null, isReply: false, statements };
}

function objection(prompt: string[], answer: string, next: string[]) {
  const message = said('agent', 3, answer);
  return objectionTo(message, [said('user', 3, ...prompt), message, said('user', 4, ...next)]);
}

describe('an objection in the next prompt', () => {
  it.each([
    'ok. uh. no. the ci runs on the current commit',
    'It still fails.',
    "that didn't help",
    'same error',
    "I've reverted your changes - focus only on the first",
  ])('is in %j', (next) => {
    expect(objection(['Mend it.'], 'It is mended.', [next])).toMatchObject({
      why: 'denied',
      turn: 4,
      text: next,
    });
  });

  it.each(['commit', 'No problem, go on.', 'no need for tests', 'Is it still open?', 'ok now it works'])(
    'is not in %j',
    (next) => {
      expect(objection(['Mend it.'], 'It is mended.', [next])).toBeNull();
    },
  );

  it('is not the answer to a question', () => {
    expect(objection(['Mend it.'], 'It is mended. Shall I commit it?', ['No'])).toBeNull();
  });

  it('is the error that the turn was asked to end', () => {
    const error = (seconds: number) => `${seconds} npm error Exit handler never called!`;
    expect(objection([error(1)], 'Fixed!', ['$ run', error(2)])).toMatchObject({
      why: 'repeated',
      text: error(2),
    });
    expect(objection([error(1)], 'Fixed!', ['TypeError: x is not a function'])).toBeNull();
  });
});
