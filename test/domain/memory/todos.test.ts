import { describe, expect, it } from 'vitest';
import { remember, told } from './events.ts';

const todosOf = (...events: Parameters<typeof remember>[0]) =>
  remember(events)
    .ideas.filter(({ kind }) => kind === 'todo')
    .map(({ content }) => content);

const plan = (...lines: string[]) =>
  told.user(['Implement the following plan:', '', '# Plan: Keep prices in cents', ...lines].join('\n'));

describe('a todo', () => {
  it.each([
    'Figure out why the lease expires',
    'Double-check the migration',
    'Re-run the tests on Node 24',
    'Benchmark the new store',
    'Bring the docs up to date',
    'Unblock the release',
  ])('accepts a todo that begins with a verb, even a rare one: %s', (step) => {
    expect(todosOf(plan(`1. ${step}`, '2. Summary of the changes'))).toEqual([step]);
  });

  it('turns a step into a todo if it says what to do, not how or where things are', () => {
    expect(
      todosOf(
        plan(
          '1. The cart still rounds because prices are floats',
          '2. User opens the cart → totals jump',
          '3. `src/cart.ts`',
          '4. Migration',
          '5. Store prices as integers',
          '6. `src/cart.ts`: replace the floats',
          '7. Totals must be rounded once',
        ),
      ),
    ).toEqual([
      'Store prices as integers',
      '`src/cart.ts`: replace the floats',
      'Totals must be rounded once',
    ]);
  });

  it('is not known to be done by a commit about something else, nor by a list of what is still needed', () => {
    const step = 'Add the signing secrets: `APPLE_ID`, `APPLE_TEAM_ID`';
    const start = plan('1. Sign the binaries on macOS', `2. ${step}`);
    const stateOf = (...events: Parameters<typeof remember>[0]) =>
      remember([start, told.agent('Done.', true), ...events]).ideas.find(({ content }) => content === step)
        ?.isOpen;
    const report = (text: string) => [
      told.user('Test the release'),
      told.commit('Bump it'),
      told.agent(text, true),
    ];
    expect(stateOf(told.commit('Sign the binaries on macOS'))).toBe(null);
    expect(stateOf(told.commit('Add the signing secrets'))).toBe(false);
    const list = '\n- `APPLE_ID`: add the secrets\n- `APPLE_TEAM_ID`: signing';
    expect(stateOf(...report(`You need to add these signing secrets:${list}`))).toBe(null);
    expect(stateOf(...report(`These signing secrets were added:${list}`))).toBe(false);
  });

  it('is no decision either, if it depends on a wish', () => {
    const kindsOf = (text: string) => remember([told.user(text)]).ideas.map(({ kind }) => kind);
    const rule = 'we should configure the hooks in the harness itself, not in the gateway';
    expect(kindsOf(rule)).toContain('decision');
    expect(kindsOf(`if we want traces ${rule}`)).not.toContain('decision');
    expect(
      kindsOf(
        'if we want otel we can configure hooks in the harness itself and the gateway can grade the traces',
      ),
    ).toEqual([]);
  });

  it('turns every meaningful step of a plan in another language into a todo', () => {
    expect(
      todosOf(plan('1. Remplacer les prix du panier', '2. Migration', '3. カートの価格を整数で保存する')),
    ).toEqual(['Remplacer les prix du panier', 'カートの価格を整数で保存する']);
  });

  it('completes a todo with the lines under its heading, but not with an unfinished one', () => {
    expect(
      todosOf(
        plan(
          '### 1. Change the cart',
          '**Totals** (line 16) are rounded at the end:',
          'To:',
          '- Store integers;',
          '### 2. Read the prices again',
        ),
      ),
    ).toEqual([
      'Change the cart: Totals (line 16) are rounded at the end: Store integers',
      'Read the prices again',
    ]);
  });

  it('makes no todo from an unfinished request or from what a summary only mentions', () => {
    expect(todosOf(told.user('spawn a worker to do\n- the prices'))).toEqual([]);
    const summary = [
      '1. Pending Tasks:',
      '- Store the prices of the cart as integers',
      '- The rounding is currently handled by',
      '- Cart totals: computed in the browser',
      '- Please continue the conversation from where we left off',
    ].join('\n');
    const compaction = { kind: 'compaction', timestamp: null, summary } as const;
    expect(todosOf(compaction)).toEqual(['Store the prices of the cart as integers']);
  });

  it('turns the next steps of a report into todos only if they are something to do', () => {
    const report = ['Done.', '', '## Next steps', '- No reviews yet', '- Add a test for refunds'].join('\n');
    expect(todosOf(told.user('fix the totals of the cart'), told.agent(report, true))).toEqual([
      'fix the totals of the cart',
      'Add a test for refunds',
    ]);
  });

  it('takes no step that a report or a summary has ticked off', () => {
    const steps = [
      '- [x] Add a test for refunds',
      '- [ ] Publish the beta package',
      '- ✅ Update the changelog',
    ];
    const report = ['Done.', '', '## Next steps', ...steps].join('\n');
    const asked = told.user('fix the totals of the cart');
    expect(todosOf(asked, told.agent(report, true))).toEqual([
      'fix the totals of the cart',
      'Publish the beta package',
    ]);
    const summary = ['1. Pending Tasks:', ...steps].join('\n');
    expect(todosOf({ kind: 'compaction', timestamp: null, summary })).toEqual(['Publish the beta package']);
  });
});

it('treats no hedge as a question, and no blocker as mere context', () => {
  const { ideas } = remember([
    told.user('the totals are rounded in the browser, tell me if I’m wrong about that'),
    told.agent('The pre-existing lint error in `cart.ts` blocks the commit of this change.', true),
  ]);
  expect(ideas.filter(({ kind }) => kind === 'question' || kind === 'context')).toEqual([]);
});

it('is not left if the report only says that it may be done some day', () => {
  const report =
    'Done. The totals are rounded once.\n\n## Next steps\n\n- Limit the size of the uploads\n- Consider a cache for the prices';
  const { ideas } = remember([told.user('Round the totals of the cart'), told.agent(report, true)]);
  expect(ideas.filter(({ kind, evidence }) => kind === 'todo' && evidence === 'report')).toMatchObject([
    { content: 'Limit the size of the uploads', isOpen: true },
    { content: 'Consider a cache for the prices', isOpen: null },
  ]);
});
