import { describe, expect, it } from 'vitest';
import { addToMemory } from '../../../src/domain/memory/extract/add-to-memory.ts';
import { emptyMemoryState } from '../../../src/domain/memory/extract/memory-state.ts';
import { takeChanges } from '../../../src/domain/memory/extract/take-changes.ts';
import { linesOf, remember, told } from './events.ts';

const asked = told.user('Move the prices to cents');
const reported = (...lines: string[]) =>
  linesOf(remember([asked, told.agent(lines.join('\n'), true)])).slice(1);
const planned = (...lines: string[]) =>
  linesOf(remember([told.user(['Implement the following plan:', '', ...lines].join('\n'))]));

describe('what a colon announces', () => {
  it('is kept with an item of a report: the nested list', () => {
    expect(
      reported(
        'Implemented:',
        '- `src/cart.ts` — Added `skip()` with rules for:',
        '  - carts without prices',
        '  - prices without a currency.',
        '- `src/cart.test.ts` — covers all the rules',
      ),
    ).toEqual([
      'conclusion: `src/cart.ts` — Added `skip()` with rules for: carts without prices; prices without a currency; `src/cart.test.ts` — covers all the rules',
    ]);
  });

  it('is kept with what a report leaves: the commands', () => {
    expect(
      reported(
        'The registry is still stale. After the merge, run:',
        '```bash',
        'npm run publish-next',
        'npm run publish-latest',
        '```',
      ),
    ).toEqual([
      'todo?: The registry is still stale. After the merge, run: `npm run publish-next; npm run publish-latest`',
    ]);
  });

  it('is kept with the step of a plan: code, also below a heading', () => {
    expect(
      planned(
        '1. `rules.md` — Add to the rules section:',
        '   ```',
        '   Stop at the first error.',
        '   ```',
        '2. `other.md` — Add to the rules section:',
      ),
    ).toEqual(['todo: `rules.md` — Add to the rules section: `Stop at the first error.`']);
    expect(
      planned(
        '### 1. `cart.ts` — Nouvelles constantes',
        '```ts',
        'const CENTS = 100;',
        '```',
        '### 2. Autres',
      ),
    ).toContain('todo: `cart.ts` — Nouvelles constantes: `const CENTS = 100;`');
  });
});

describe('the beginning of a sentence', () => {
  it('is kept if it is bold: it may be the verb', () => {
    expect(
      planned(
        '### 1. Change the types',
        '**Expand `Step`** with two values:',
        '```',
        '"plan" | "run"',
        '```',
        '**Add fields to the result**:',
        '- the plan of the errors',
        '**Keep unchanged**: the first two steps',
        '### 2. Change the docs',
      ),
    ).toContain(
      'todo: Change the types: Expand `Step` with two values: `"plan" | "run"`; Add fields to the result: the plan of the errors; Keep unchanged: the first two steps',
    );
  });

  it('is a title if only a bracket follows, and says the kind', () => {
    const lines = reported(
      '**Fix 1: Retry the write of the cart** (two places):',
      '- the second write waits for the first',
    );
    expect(lines).toEqual([
      'solution: Fix 1: Retry the write of the cart (two places): the second write waits for the first',
    ]);
  });

  it('is not cut after a full stop that is an argument of a command', () => {
    const fix = 'The fix is that `git checkout .` in `resetFolder` no longer fails without changes.';
    expect(reported(fix)).toEqual([`solution: ${fix}`]);
  });
});

describe('a step that only checks or reports', () => {
  it.each([
    'Run tests and lint',
    'Run focused local verification',
    'Monitor worker handoffs and summarize outcomes',
    'Summarize fix and rerun steps',
  ])('is no todo: %s', (text) => {
    expect(remember([asked, told.todos([{ id: null, text, status: 'open' }])]).ideas).toHaveLength(1);
    expect(reported('Next steps:', `- ${text}`)).toEqual([]);
  });

  it.each(['Run the tests of the cart', 'Verify the rounding of prices', 'Fix the tests of the worker pool'])(
    'is one if it names what: %s',
    (text) =>
      expect(remember([asked, told.todos([{ id: null, text, status: 'open' }])]).ideas).toHaveLength(2),
  );

  it('is no solution if a formatter did it', () => {
    const summary = [
      'Summary:',
      '4. Errors and fixes:',
      '   - Lint formatting errors: the linter found long lines in the cart. Fixed with `lint:fix`.',
      '   - Totals were rounded twice: removed the rounding in the cart.',
    ].join('\n');
    const compaction = { kind: 'compaction' as const, timestamp: null, summary };
    expect(linesOf(remember([compaction]))).toEqual([
      'solution: Totals were rounded twice: removed the rounding in the cart.',
    ]);
  });
});

describe('a step of a plan that the agent takes up in its list', () => {
  const plan = told.user(
    'Implement the following plan:\n\n1. Round the totals of the cart at the end\n2. Add a currency to prices',
  );
  const step = (status: 'open' | 'done') =>
    told.todos([{ id: null, text: 'Round totals of the cart', status }]);

  it('is one todo, and done when the list says so', () => {
    expect(linesOf(remember([plan, step('open')]))).toEqual([
      'todo?: Round the totals of the cart at the end',
      'todo: Add a currency to prices',
    ]);
    expect(remember([plan, step('open'), step('done')]).ideas).toMatchObject([{ isOpen: false }, {}]);
  });
});

describe('chatter', () => {
  it('is no conclusion', () => {
    const question = told.user('Why are the prices of the cart floats?');
    const answered = (text: string) => linesOf(remember([question, told.agent(text, true)])).slice(1);
    expect(answered('Absolutely — and this is the right way to do it.')).toEqual([]);
    expect(answered('Yes, it’s landed now.')).toEqual([]);
    const rest = 'The price list gives strings, and the cart parses them as floats.';
    expect(answered(`Yes, that is common.\n\n${rest}`)).toEqual([`conclusion: ${rest}`]);
    const answer = 'Yes, they are parsed from the strings of the price list.';
    expect(answered(answer)).toEqual([`conclusion: ${answer}`]);
    expect(reported('The new task is another one: prices get a currency. Let me explore the cart.')).toEqual(
      [],
    );
  });

  it.each([
    'is that the expected outcome?',
    'do you believe this aligns better with best practices',
    'has the patch landed?',
  ])('is no question, if it only points at what was said: %s', (text) =>
    expect(remember([told.user(text)]).ideas).toEqual([]),
  );

  it('is a question if it has a name', () => {
    expect(remember([told.user('should it be stored in SQLite?')]).ideas).toHaveLength(1);
  });
});

/** The ideas of events that stand on one line, as a call's result and the commit that it reports. */
function fold(events: Parameters<typeof remember>[0]): string[] {
  const state = emptyMemoryState();
  for (const event of events) addToMemory(state, event, { turn: 0, line: 1 });
  return takeChanges(state).ideas.map(({ content }) => content);
}

describe('a commit', () => {
  it('is no result while the session’s record does not have it', () => {
    const state = emptyMemoryState();
    const [first, again] = [
      { hash: 'aaaaaaa', subject: 'Round the totals' },
      { hash: 'bbbbbbb', subject: 'Round the totals' },
    ];
    addToMemory(state, told.commit(first.subject, first.hash), { turn: 0, line: 1 });
    const after = (...kept: (typeof first)[]) =>
      takeChanges(state, kept).ideas.map(({ kind, evidence, content }) => `${kind} ${evidence} ${content}`);
    expect(after(first)).toEqual(['conclusion commit Committed: Round the totals']);
    expect(after(first)).toEqual([]);
    expect(after()).toEqual([
      'context run Not among the commits of the session at its end: Round the totals',
    ]);
    addToMemory(state, told.commit(again.subject, again.hash), { turn: 0, line: 2 });
    expect(after(again)).toEqual(['conclusion commit Committed: Round the totals']);
  });

  it('has the subject that git reports, not one that is guessed from the command', () => {
    const command =
      'git commit -m "$(cat <<\'EOF\' Add the import of reports to Web UI Allow users to upload EOF )"';
    const call = told.bash(command, 'c');
    const committed = (...events: Parameters<typeof fold>[0]) => fold([asked, call, ...events]).slice(1);
    expect(committed(told.commit('Add the import of reports to Web UI'), told.result('c'))).toEqual([
      'Committed: Add the import of reports to Web UI',
    ]);
    expect(committed(told.result('c'))).toEqual([
      'Committed: Add the import of reports to Web UI Allow users to upload',
    ]);
    expect(committed(told.result('c', 'FAILED: git commit'))).toEqual([]);
  });
});
