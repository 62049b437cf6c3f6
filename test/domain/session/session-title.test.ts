import { describe, expect, it } from 'vitest';
import { addEvent, emptyDraft } from '../../../src/domain/session/draft.ts';
import { titleOfDraft } from '../../../src/domain/session/session-title.ts';
import { type Titled, tellApart } from '../../../src/domain/session/tell-apart.ts';
import { FULL, TELLING, weightOf } from '../../../src/domain/session/title-weight.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';

const said = (role: 'user' | 'assistant' | 'tool', text: string, inherited = false): TranscriptEvent => ({
  kind: 'message',
  role,
  text,
  timestamp: null,
  uuid: null,
  inherited,
});
const asks = (text: string) => said('user', text);
const inherits = (text: string) => said('user', text, true);
const named = (text: string, inherited = false): TranscriptEvent => ({
  kind: 'title',
  source: 'custom',
  text,
  inherited,
});
const commits = (subject: string, inherited = false): TranscriptEvent => ({
  kind: 'commit',
  commit: { hash: subject, subject },
  inherited,
});
const plans = (text: string, call: string | null = 'p'): TranscriptEvent => ({
  kind: 'plan',
  call,
  text,
  inherited: false,
});
const ends = (failed: boolean): TranscriptEvent => ({
  kind: 'result',
  call: 'p',
  failed,
  error: null,
  inherited: false,
});
const edits = (path: string): TranscriptEvent => ({ kind: 'file', path, inherited: false });
const on = (branch: string): TranscriptEvent => ({ kind: 'context', branch });

function title(...events: TranscriptEvent[]): string {
  const draft = emptyDraft();
  for (const event of events) addEvent(draft, event);
  return titleOfDraft(draft).title;
}

describe('the title of a session', () => {
  it('is what was committed, if the prompt says nothing', () => {
    const commit = commits('Retry the upload after a timeout');
    expect(title(asks('ok lets get back to main'), commit)).toBe('Retry the upload after a timeout');
    expect(title(asks('push the fixes up'), commits("Merge branch 'main'"), commits('wip'), commit)).toBe(
      'Retry the upload after a timeout',
    );
  });

  it('is the heading of a plan, not an item of it that has rarer words', () => {
    const plan =
      '# Plan: Merge the list and the panels\n\nThere are two:\n1. **List**: groups bullets by harbor and tide';
    expect(title(asks(`Implement the following plan:\n\n${plan}`))).toBe('Merge the list and the panels');
  });

  it('is not a prompt that only switches branches, if a later one says more', () => {
    const chore = asks('please switch to main and delete stale branches like fix/harbor-tide-valve');
    expect(title(chore)).toMatch(/^please switch to main/);
    expect(title(chore, asks('why does the harbor lose its tide table at midnight?'))).toBe(
      'why does the harbor lose its tide table at midnight?',
    );
  });

  it('does not name a file that it names already', () => {
    expect(title(asks('update changelog.md please'), edits('docs/CHANGELOG.md'))).toBe(
      'update changelog.md please',
    );
    expect(title(asks('update the changelog please'), edits('docs/CHANGELOG.md'))).toMatch(
      / · CHANGELOG.md$/,
    );
  });

  it('has the name of a file whose path is too long', () => {
    const prompt =
      'The product tour of the harbor should always display the code in @frontend/src/components/tour/productTour.tsx';
    expect(title(asks(prompt))).toBe(
      'The product tour of the harbor should always display the code in productTour.tsx',
    );
  });

  it('is the prompt, if the commit says less', () => {
    const prompt = asks('Let the cart survive a reload of the browser');
    expect(title(prompt, commits('fix lint'))).toBe('Let the cart survive a reload of the browser');
  });

  it('is the heading of an approved plan, and not that of a rejected one', () => {
    const [first, second] = ['# Plan: Cache thumbnails on disk', '# Plan: Stream thumbnails from memory'];
    const weak = asks('can you look at the issue?');
    expect(title(weak, plans(first), ends(true), plans(second), ends(false))).toBe(
      'Stream thumbnails from memory',
    );
    expect(title(weak, plans(first), ends(true))).toBe('can you look at the issue?');
    expect(title(weak, plans(first, null), asks('Implement the plan.'))).toBe('Cache thumbnails on disk');
    expect(title(weak, plans(first, null), asks('no, not like this'))).toBe('can you look at the issue?');
  });

  it('is the first prompt that says enough, however late', () => {
    expect(title(asks('can you review the changes?'), asks('The gradient overflows in half precision'))).toBe(
      'The gradient overflows in half precision',
    );
  });

  it('names the branch, else the files, else the answer, if no prompt says enough', () => {
    const weak = asks('address the PR comments');
    const answer = said('assistant', 'The gradient overflows in half precision.');
    expect(title(weak, on('fix/token-refresh'), edits('src/a.ts'), answer)).toBe(
      'address the PR comments · fix/token-refresh',
    );
    expect(title(weak, on('main'), edits('src/oauth.ts'), edits('lib/jwt.ts'), edits('c.ts'))).toBe(
      'address the PR comments · oauth.ts, jwt.ts',
    );
    expect(title(weak, on('main'), answer)).toBe(
      'address the PR comments · The gradient overflows in half precision.',
    );
  });

  it.each([
    'Read the output file to retrieve the result: /tmp/tasks/b1.output',
    'Operation stopped by hook: the branch of the session has moved',
    'This session is being continued from a previous conversation that ran out of context.',
    '[Request interrupted by user for tool use]',
  ])('is never machine text: %s', (text) => {
    expect(title(asks(text), asks('Render the invoice as a PDF'))).toBe('Render the invoice as a PDF');
  });

  it('is the name that the user gave, even one that says little', () => {
    const commit = commits('Retry the upload after a timeout');
    expect(title(asks('go on'), named('misc'), commit)).toBe('misc');
  });

  it.each([
    'New session - 2026-03-01T10:00:00Z',
    'Untitled',
    '0f0f0f0f-1111-4222-8333-444444444444',
    'Render invoices (Branch)',
    'Render invoices (fork 2)',
  ])('is no name that the agent made up: %s', (name) => {
    const commit = commits('Retry the upload after a timeout');
    expect(title(asks('go on'), named(name), commit)).toBe('Retry the upload after a timeout');
    expect(title(said('assistant', 'ok'), named(name))).toBe(name);
  });

  it('is what is new in a fork, after a plus sign', () => {
    const parent = inherits('Train the model on the new corpus');
    expect(title(parent, asks('log errors when the gradient is invalid'))).toBe(
      '+ log errors when the gradient is invalid',
    );
    expect(
      title(parent, commits('Add the corpus', true), asks('go on'), commits('Clip the gradient norm')),
    ).toBe('+ Clip the gradient norm');
    expect(title(parent, asks('fix lint'))).toBe('+ fix lint · Train the model on the new corpus');
    expect(title(parent)).toBe('Train the model on the new corpus');
  });

  it('is a fork’s own name, but not the one it has from its parent', () => {
    const parent = inherits('Train the model on the new corpus');
    const own = asks('log errors when the gradient is invalid');
    expect(title(parent, named('corpus-training', true), own, named('corpus-training'))).toBe(
      '+ log errors when the gradient is invalid',
    );
    expect(title(parent, named('corpus-training', true), own, named('gradients'))).toBe('gradients');
  });

  it('is not of a prompt, or its answer, that the user took back', () => {
    const back: TranscriptEvent = { kind: 'rewound', last: 1 };
    const wrong = asks('Store the sessions of the shop in memcached');
    const right = asks('Store the sessions of the shop in valkey');
    expect(title(asks('hi'), wrong, back, right)).toBe('Store the sessions of the shop in valkey');
    expect(title(asks('hi'), wrong, right, back)).toBe('Store the sessions of the shop in memcached');
    expect(
      title(
        asks('do it'),
        said('assistant', 'The basket of the shop is cached in redis'),
        back,
        asks('stop'),
      ),
    ).toBe('stop');
    expect(title(asks('ok'), wrong, back)).toBe('ok');
    // There is nothing else.
    expect(title(wrong, back)).toBe('Store the sessions of the shop in memcached');
  });

  it('is the same however the transcript was split over reads', () => {
    const draft = emptyDraft();
    for (const event of [asks('can you look?'), plans('# Plan: Cache thumbnails on disk')])
      addEvent(draft, event);
    const later = structuredClone(draft);
    addEvent(later, ends(false));
    expect(titleOfDraft(later)).toEqual({ title: 'Cache thumbnails on disk', title_source: 'plan' });
  });
});

describe('the weight of a title', () => {
  it.each([
    ...[
      'fix lint errors',
      'can you review the changes in this branch?',
      'push the fixes up',
      'address the issues',
    ],
    ...['why? https://example.com/runs/21662191208/job/62449', 'see 3f2a9c1d and #68'],
  ])('is small without words of a subject: %s', (text) => expect(weightOf(text)).toBeLessThan(TELLING));

  it.each([
    ...['Retry uploads after a timeout', 'Почини вход через GitHub', 'ログイン画面を直してください'],
    ...['`countItems` overflows in Firefox', 'Multi-Remediation Support'],
  ])('is large enough with them: %s', (text) => expect(weightOf(text)).toBeGreaterThanOrEqual(TELLING));

  it('does not grow with length alone', () => {
    expect(weightOf('word '.repeat(50))).toBe(1);
    expect(weightOf('one cache reads thumbnails while another writes invoices to disk')).toBe(FULL);
  });
});

describe('titles in a list', () => {
  const session = (session_id: string, more: Partial<Titled> = {}): Titled => ({
    session_id,
    title: 'Same',
    commits: [],
    branch: 'main',
    files_touched: [],
    repo_name: 'shop',
    started_at: '2026-03-01T10:00:00.000Z',
    ...more,
  });
  const titles = (...sessions: Titled[]) => tellApart(sessions).map((one) => one.title);

  it.each([
    [
      'commit',
      { commits: [{ hash: 'a', subject: 'Add a' }] },
      { commits: [{ hash: 'b', subject: 'Add b' }] },
      'Add a',
      'Add b',
    ],
    ['branch', { branch: 'cart' }, { branch: 'login' }, 'cart', 'login'],
    ['repository', { repo_name: 'till' }, {}, 'till', 'shop'],
    ['file', { files_touched: ['src/a.ts'] }, { files_touched: ['src/b.ts'] }, 'a.ts', 'b.ts'],
    ['day', { started_at: '2026-03-02T10:00:00.000Z' }, {}, '2026-03-02', '2026-03-01'],
    ['time', { started_at: '2026-03-01T11:00:00.000Z' }, {}, '2026-03-01 11:00:00', '2026-03-01 10:00:00'],
    ['id', {}, {}, 'one', 'two'],
  ])('are told apart by %s', (_, first, second, one, other) => {
    expect(
      titles(session('one', first), session('two', second), session('three', { title: 'Other' })),
    ).toEqual([`Same · ${one}`, `Same · ${other}`, 'Other']);
  });

  it('stay as they are if no two are equal, and if one session is listed twice', () => {
    expect(titles(session('one'), session('two', { title: 'Other' }))).toEqual(['Same', 'Other']);
    expect(titles(session('one'), session('one'))).toEqual(['Same', 'Same']);
  });
});
