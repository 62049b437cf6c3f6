import { expect, it } from 'vitest';
import { createRedactor } from '../../../src/adapters/secretlint/create-redactor.ts';
import { redactEvents } from '../../../src/app/privacy/redact-events.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import { seededRandom } from '../../adapters/secretlint/fake-credential.ts';

const secret = (seed: number) => `gh${'p_'}${seededRandom(seed).pick('ABCDEFGHabcdefgh01234567', 36)}`;
const inherited = false;

it('redacts every text of questions, answers, plans, steps, errors and pull requests', async () => {
  const events: TranscriptEvent[] = [
    {
      kind: 'asked',
      call: 'a',
      questions: [{ key: 'k', question: `Is ${secret(1)} right?`, options: ['no', `use ${secret(2)}`] }],
      inherited,
    },
    {
      kind: 'answered',
      call: 'a',
      answers: [{ key: `Is ${secret(1)} right?`, answer: secret(3) }],
      inherited,
    },
    { kind: 'plan', call: 'p', text: `Use ${secret(4)} <private>for my eyes</private>`, inherited },
    {
      kind: 'todos',
      items: [{ id: '1', text: `Drop ${secret(5)}`, status: 'open' }],
      whole: true,
      inherited,
    },
    { kind: 'result', call: 'r', failed: true, error: `Error: bad token ${secret(6)}`, inherited },
    { kind: 'pull request', url: `https://x.test/${secret(7)}`, title: secret(8), inherited },
  ];
  const redacted = await redactEvents(events, createRedactor());
  const text = JSON.stringify(redacted.events);
  for (let seed = 1; seed <= 8; seed += 1)
    expect(text, `secret ${seed}`).not.toContain(secret(seed).slice(4, 20));
  expect(text).not.toContain('my eyes');
  expect(redacted.events.map(({ kind }) => kind)).toEqual(events.map(({ kind }) => kind));
  expect(redacted.events[3]).toMatchObject({
    items: [{ id: '1', text: 'Drop [REDACTED:github]', status: 'open' }],
  });
});
