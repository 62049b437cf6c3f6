import { describe, expect, it } from 'vitest';
import { isTentative } from '../../../src/domain/memory/confidence.ts';
import { statedIn } from '../../../src/domain/memory/extract/evidence/stated.ts';
import { linesOf, remember, told } from './events.ts';

const STATED: [string, string][] = [
  ['decision', 'We decided to use SQLite'],
  ['decision', 'We changed from SQLite to LMDB'],
  ['decision', 'okay, let’s go with Postgres for the job queue'],
  ['conclusion', 'The key insight is that one file is enough'],
  ['conclusion', 'The root cause is that nobody closes the file'],
  ['problem', 'The issue is that the lock is never released'],
  ['solution', 'Fixed by doing all writes in one transaction'],
  ['todo', 'We need to implement the retry queue'],
  ['todo', 'Need to implement the retry queue'],
  ['question', 'How should we handle the lock of the file?'],
];

const OTHERS = [
  'If we decided to use SQLite, the file would be locked',
  '"We decided to use SQLite"',
  'The issue is closed now',
  'The fix is straightforward.',
  'Let me see what we need to read',
  'The private issue was created as docs#6',
  'I switched to main and pulled the branch',
];

describe('stated sentences', () => {
  it.each(STATED)('takes a %s from the user and from the agent: %s', (kind, sentence) => {
    const said = [told.user(sentence)];
    expect(linesOf(remember(said))[0]).toMatch(new RegExp(`^${kind}\\??: `));
    // An agent says this of its next step.
    if (/^(?:Need|okay)/.test(sentence)) return;
    const reported = [told.user('Look into the gateway'), told.agent(sentence, true)];
    expect(linesOf(remember(reported))[0]).toMatch(new RegExp(`^${kind}\\??: `));
  });

  it.each(OTHERS)('takes nothing from %s', (sentence) => {
    expect(statedIn(sentence, 'agent')).toBeNull();
    expect(statedIn(sentence, 'report')).toBeNull();
  });

  it('lowers the certainty of a hedged statement', () => {
    for (const hedged of [
      'We tentatively decided to use SQLite',
      'Maybe we should use SQLite for the gateway',
      'The issue is probably the lock of the file',
    ]) {
      const [idea] = remember([told.user(hedged)]).ideas;
      expect(idea && isTentative(idea)).toBe(true);
    }
    const [firm] = remember([told.user('We decided to use SQLite')]).ideas;
    expect(firm && isTentative(firm)).toBe(false);
  });

  it('lets a switch replace the decision for what was given up', () => {
    const { ideas } = remember([
      told.user('We decided to use SQLite'),
      told.agent('All right, the gateway writes to SQLite.', true),
      told.user('We changed from SQLite to LMDB'),
    ]);
    expect(ideas.at(-1)).toMatchObject({
      kind: 'decision',
      relations: [{ kind: 'supersedes', to: 0 }],
    });
  });
});
