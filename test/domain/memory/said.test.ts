import { describe, expect, it } from 'vitest';
import { CONFIDENCE } from '../../../src/domain/memory/confidence.ts';
import { linesOf, remember, told } from './events.ts';

const asked = told.user('Move the prices to cents');

/** What a report to a request leaves, besides the request. */
function reported(report: string, then: Parameters<typeof remember>[0] = []): string[] {
  return linesOf(remember([asked, told.agent(report, true), ...then])).filter(
    (line) => !line.includes('to cents'),
  );
}

describe('a question that ends a report', () => {
  const question = 'Should I commit with `--no-verify` to skip the failing hook?';
  const report = `The hook fails in a cloned repository. ${question}`;

  it('is open while nobody has answered, and left when the user or the agent goes on', () => {
    expect(reported(report)).toContain(`question?: ${question}`);
    expect(reported(report, [told.user('run the tests of the cart again')])).toContain(
      `question: ${question}`,
    );
    expect(reported(report, [told.bash('git commit --no-verify', 'c')])).toContain(`question: ${question}`);
  });

  it('also ends a turn that is not marked as ended', () => {
    expect(linesOf(remember([asked, told.agent(report)]))).toContain(`question?: ${question}`);
  });

  it('is not what the agent offers to do besides', () => {
    for (const offer of [
      'Want me to add tests for the cart?',
      'Should I also update the docs of the cart?',
      'Shall I write the exporter of the cart next?',
      'Is there something different you would like to have?',
    ])
      expect(reported(`The prices are in cents now, as integers. ${offer}`)).not.toContain(
        `question?: ${offer}`,
      );
  });
});

it.each([
  'Do you want to keep SQLite or move to LMDB?',
  'Should I go ahead and run it on production?',
  'Would you like me to commit the change of the cart?',
])('leaves a decision to the user, with a question that ends a report: %s', (question) => {
  expect(reported(`The migration is written. ${question}`)).toContain(`question?: ${question}`);
});

it('keeps what a question that ends a report points at', () => {
  const report = 'The token of the registry is expired. Can you renew it?';
  expect(reported(report)).toContain(`question?: ${report}`);
});

describe('an answer', () => {
  const question = told.user('Why is the price rounded twice?');
  const check = 'All 12 tests pass. Let me also run lint.';

  it('is not a report of passing checks, before which nobody knows whether the question is open', () => {
    expect(linesOf(remember([question, told.agent(check)]))).toEqual([
      'question: Why is the price rounded twice?',
    ]);
    const cause = 'The cart rounds it, and the gateway rounds it again.';
    const { ideas } = remember([question, told.agent(check), told.agent(cause, true)]);
    expect(ideas.map(({ content, isOpen }) => [content, isOpen])).toEqual([
      ['Why is the price rounded twice?', false],
      [cause, null],
    ]);
    expect(ideas[1]?.relations).toMatchObject([{ kind: 'answers', to: 0 }]);
  });

  it('is not that the user is right', () => {
    const { ideas } = remember([question, told.agent("You're not wrong - I think you're right.", true)]);
    expect(ideas).toHaveLength(1);
  });
});

describe('no finding', () => {
  it.each([
    'You have a few options:\n- Stash the other changes of the cart before the commit\n- Skip the hook of the repository',
    'Option 1: one store\n\n**Option 2**\n- Create a gateway with tools for the cart\n- Keep the old gateway behind it',
    'I did not push the branch. Current state from the final check:\n- The changes of the cart are still local\n- The tree has two modified files',
    'Try the new cart in the browser and let me know if you hit any issues!',
  ])('is in choices, in the state of the checkout, or in chatter: %s', (report) =>
    expect(reported(report)).toEqual([]),
  );

  it('loses the ends of its lines', () => {
    expect(
      reported('Added the check of the session to the gateway\n\nThe buffer is limited to 100 kB'),
    ).toEqual(['conclusion: Added the check of the session to the gateway; The buffer is limited to 100 kB']);
  });
});

it.each([
  'rather than...just doing the migration of the cart.',
  'in regards to the cart the style should be more consistent.',
  'let me try the light theme, then we should be good to go',
])('takes no complaint or trial of the user for a decision: %s', (prompt) => {
  expect(remember([told.user(prompt)]).ideas.filter(({ kind }) => kind === 'decision')).toEqual([]);
});

describe('a finding', () => {
  it('is no possibility', () => {
    const said = reported(
      'The client sends each model through the same endpoint, with another name.\n\n**However**, if the model has special limits, you might see an error.\n\nIf this fails again, we can build the client locally and copy it.',
    );
    expect(said.join('\n')).toContain('the same endpoint');
    expect(said.join('\n')).not.toMatch(/limits|build the client/);
  });

  it('of an attempt is tentative', () => {
    const lines =
      '- A newer npm before the packages are installed\n- The flag `--legacy-peer-deps` as extra safety';
    const ideas = remember([asked, told.agent(`This should fix the build:\n${lines}`, true)]).ideas;
    const found = ideas.filter(({ kind }) => kind === 'conclusion');
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ confidence }) => confidence <= CONFIDENCE.hedged)).toBe(true);
  });
});

describe('what a report leaves', () => {
  it.each([
    'I did not migrate the old orders yet because the backup has to finish first.',
    "I haven't deployed the new worker of the cart yet.",
    'The migration of the invoices remains blocked on the billing team.',
    'The issue `shop/billing#15` of the billing team is still open.',
  ])('is open, in a paragraph and in a list: %s', (left) => {
    expect(reported(`The prices of the cart are integers now.\n\n${left}`)).toContain(`todo?: ${left}`);
    expect(reported(`Keep open:\n- The totals are rounded once, at the end\n- ${left}`)).toContain(
      `todo?: ${left}`,
    );
  });

  it('is not repeated as part of the answer, nor told without its beginning or its subject', () => {
    const { ideas } = remember([
      told.user('Why does the cart use floats for prices?'),
      told.agent(
        'It predates the money type, which came with version 2. Both were written in one week.',
        true,
      ),
    ]);
    expect(ideas.map(({ kind }) => kind)).toEqual(['question', 'conclusion']);
    expect(reported('Both are links that open in a new tab of the browser.')).toEqual([]);
    for (const vague of [
      'The fix is to cast it.',
      'I have not merged it yet.',
      'This is a pre-existing issue of the list and not related to my change.',
    ])
      expect(reported(vague)).toEqual([]);
    expect(
      reported('has nothing to restore and fails because of the missing index file of the cart.'),
    ).toEqual([]);
  });
});

describe('the user’s words', () => {
  const kindsOf = (text: string) => linesOf(remember([told.user(text)])).map((line) => line.split(':', 1)[0]);

  it.each([
    'will this be slower than before',
    'so should we simply call it manifest or will that be ambiguous.',
    'do we already group runs by experiment',
    'can the report be saved in the private repository',
    'also does index.jsonl confuse with the naming of summary.json.',
    'this was done in the dashboard branch or on main?',
  ])('ask without a question mark, with a full stop, and in the order of a statement: %s', (question) => {
    expect(kindsOf(question)).toEqual(['question?']);
  });

  it.each([
    'do both changes for the gateway store',
    'have a look at the gateway store',
    'Make these two buttons more visible, on the left side ?',
    'Do you think you can also fetch the logo of the agent',
  ])('ask for work, not for an answer: %s', (request) => {
    expect(kindsOf(request)).not.toContain('question?');
  });

  it.each([
    'we should highlight the new tab on the welcome page',
    'Mention also that the skills should be in the folder of the agent',
    'in the header, remove the badge that is no longer needed',
  ])('propose work rather than a rule: %s', (request) => {
    expect(kindsOf(request)).toEqual(['todo']);
  });

  it.each([
    'the option should be hard deprecated',
    'we should rename it to publish.yml',
    'never use floats for prices',
  ])('set a rule: %s', (rule) => {
    expect(kindsOf(rule)).toEqual(['decision']);
  });

  it('set no rule without saying about what', () => {
    expect(kindsOf('please keep that style.')).toEqual([]);
  });
});

describe('a prompt whose lines an editor wrapped', () => {
  it('is read by sentences, not by lines', () => {
    const text =
      'The handler must never wait for the call that ends the listener of the socket —\ninstead start the cleanup and catch its errors. Keep the log of the console.';
    const [decided = ''] = linesOf(remember([asked, told.user(text)])).filter((line) => /cleanup/.test(line));
    expect(decided).toMatch(/^decision: The handler must never wait .* — instead start the cleanup/);
  });

  it('does not join what the user wrote on lines of its own', () => {
    const text =
      'use pnpm instead of npm for all packages of this repository\nnever use yarn in the scripts of the pipeline';
    const said = linesOf(remember([asked, told.user(text)]));
    expect(said.filter((line) => line.startsWith('decision'))).toHaveLength(2);
  });

  it('decides nothing by a reason alone', () => {
    const text = 'The recorder feels wrong? because we want the agent to drive the browser.';
    const said = linesOf(remember([asked, told.user(text)]));
    expect(said.filter((line) => line.startsWith('decision'))).toEqual([]);
  });
});

describe('the background of a plan', () => {
  const problemsIn = (background: string) =>
    remember([
      told.plan(`# Plan: Badges\n\n## Context\n\n${background}\n`, 'p'),
      told.result('p'),
    ]).ideas.flatMap(({ kind, content }) => (kind === 'problem' ? [content] : []));

  it.each([
    'The list currently shows every badge in one color.',
    'Errors only get a short prompt without the target of the agent.',
    'The feature changes files, but it does not commit or persist any changes.',
    'The card has no link to the results of the evaluation.',
  ])('is a problem if something is lacking: %s', (problem) => {
    expect(problemsIn(problem)).toEqual([problem]);
  });

  it.each([
    'The pipeline routes each issue to one of three types of output.',
    'The user wants a link to the results, not only a message.',
    'Lines 236–239 keep the guidance only for errors.',
    'The block already shows the category, so only the color is new.',
  ])('is none if it only describes: %s', (description) => {
    expect(problemsIn(description)).toEqual([]);
    expect(problemsIn(`**Problem:** ${description}`)).toEqual(
      description.startsWith('The pipeline') ? [description] : [],
    );
  });
});

it('does not count a step as open that a session ended with, while it was committing', () => {
  const steps = [
    'Round the totals',
    'Commit, push, and open a PR for the totals',
    'Tell the team of the totals',
  ];
  const items = steps.map((text) => ({ id: null, text, status: 'open' as const }));
  const { ideas } = remember([
    asked,
    told.todos(items),
    told.bash('git add -A && git commit -m "Round"', 'c'),
  ]);
  expect(ideas.filter(({ isOpen }) => isOpen === true).map(({ content }) => content)).toEqual([steps[2]]);
});
