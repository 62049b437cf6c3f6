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
  ['decision', 'We ended up using a materialized view for the report'],
  ['decision', 'We ended up with one connection pool for all tenants'],
  ['decision', 'We chose LMDB over SQLite for the gateway store'],
  ['decision', 'We’re dropping support for Node 16'],
  ['decision', 'I think we’ll go with Terraform for the staging network'],
  ['decision', 'The final decision is to keep one table per tenant'],
  ['decision', 'Our decision is to store amounts in cents'],
  ['decision', 'We’ve chosen Keycloak as the identity provider'],
  ['decision', 'We’re leaning towards SQLite for the gateway store'],
  ['decision', 'We replaced Redux with Zustand in the dashboard'],
  ['decision', 'We’re using Cloudflare for the names from now on'],
  ['conclusion', 'It turned out that the proxy buffers the whole response'],
  ['conclusion', 'The crash was caused by a null in the price column'],
  ['conclusion', 'I found that the daemon leaks one file handle per job'],
  ['problem', 'The issue we have is that the worker never stops'],
  ['solution', 'Got it working by setting the voltage of the radio first'],
  ['todo', 'Someone needs to check the licence of the font'],
  ['conclusion', 'What I learned: the radio needs its voltage set before calibration'],
  ['todo', 'The webhook signatures still need to be verified'],
  ['question', 'How should we handle the lock of the file?'],
];

const OTHERS = [
  'If we decided to use SQLite, the file would be locked',
  '"We decided to use SQLite"',
  '"We decided to use SQLite" is an example of a sentence',
  'He asked “should we use SQLite here?” and nobody answered',
  'We haven’t decided which database to use',
  'Once we’ve decided to use GraphQL, the schema can be generated',
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
    if (/^okay/.test(sentence)) return;
    const reported = [told.user('Look into the gateway'), told.agent(sentence, true)];
    expect(linesOf(remember(reported))[0]).toMatch(new RegExp(`^${kind}\\??: `));
  });

  it.each(OTHERS)('takes nothing from %s', (sentence) => {
    expect(statedIn(sentence, 'agent')).toBeNull();
    expect(statedIn(sentence, 'report')).toBeNull();
  });

  it.each([
    [
      'Found it: the hook of the old tool still runs on push',
      'Found it: the hook of the old tool still runs on push',
    ],
    [
      'I see the issue! The cache is filled before the prices are loaded. Let me fix that:',
      'The cache is filled before the prices are loaded.',
    ],
    [
      'Now I understand the bug. The button checks a row of the table that was deleted with its report:',
      'The button checks a row of the table that was deleted with its report',
    ],
    [
      'The review found one gap: a run that stops before the upload is never repeated.',
      'The review found one gap: a run that stops before the upload is never repeated.',
    ],
    [
      '`git fetch` refuses the old protocol, so I’m using the address of the mirror.',
      '`git fetch` refuses the old protocol, so I’m using the address of the mirror.',
    ],
    [
      '`npm ci` fails because the lock file names `left-pad`.',
      '`npm ci` fails because the lock file names `left-pad`.',
    ],
  ])('takes what the agent finds on its way for a problem: %s', (text, content) => {
    const { ideas } = remember([told.user('Look into the gateway'), told.agent(text, false)]);
    expect(ideas).toMatchObject([{ kind: 'problem', content, isOpen: null }]);
  });

  it.each([
    'Found the issue. Let me look at the cache:',
    'I found the details of the target; now I am reading them.',
    'Biome found one issue: a line is too long in the cache.',
    'If I see the issue: the cache is filled too early.',
  ])('takes nothing from what the agent says on its way: %s', (text) => {
    expect(remember([told.user('Look into the gateway'), told.agent(text, false)]).ideas).toEqual([]);
  });

  it.each([
    'I cannot see any session in the dashboard',
    'Looks like the logos of the agents are not rendered correctly',
    'i got these errors when running the worker on Windows',
    'also publish to npm failed for the last release',
  ])('takes what does not work for the user for a problem, which is told to the agent: %s', (text) => {
    const [problem] = remember([told.user(text)]).ideas;
    expect(problem).toMatchObject({ kind: 'problem', content: text, isOpen: null });
    const mended = [
      told.user(text),
      told.file('src/a.ts'),
      told.agent('Done. The cache is filled later now.', true),
    ];
    expect(remember(mended).ideas[0]).toMatchObject({ isOpen: false });
  });

  it.each(['I don’t see the point of several runs', 'when one run fails we go on'])(
    'takes no problem from: %s',
    (text) => {
      expect(remember([told.user(text)]).ideas.filter(({ kind }) => kind === 'problem')).toEqual([]);
    },
  );

  it('takes what must not be forgotten for a todo, not for a rule', () => {
    expect(linesOf(remember([told.user('Don’t forget to remove the debug flag')]))[0]).toMatch(/^todo/);
  });

  it('takes no rule from a user who has not decided, or asks', () => {
    for (const sentence of [
      'We have not decided whether the queue should be durable.',
      "so if that is closed doesn't that mean we can use the base url instead of the proxy",
      'if we want traces we don’t need the queue do you think that is much code',
    ])
      expect(remember([told.user(sentence)]).ideas.filter(({ kind }) => kind === 'decision')).toEqual([]);
  });

  it('lowers the certainty of a hedged statement', () => {
    for (const hedged of [
      'I think we’ll go with Terraform for the staging network',
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
