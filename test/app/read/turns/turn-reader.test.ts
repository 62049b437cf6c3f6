import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTurnCache } from '../../../../src/app/read/turns/open-turns.ts';
import {
  readEditedFiles,
  readFileEdits,
  readOutline,
  readTurnWindow,
} from '../../../../src/app/read/turns/turn-reader.ts';
import { viewSession } from '../../../../src/app/read/view-session.ts';
import { storedTurns } from '../../../../src/app/sessions/conversation/stored-conversation.ts';
import { findSession } from '../../../../src/app/sessions/find-session.ts';
import type { Parts } from '../../../../src/compose/parts.ts';
import { type HtmlTurn, htmlTurn } from '../../../../src/domain/html/session-html.ts';
import { createWorld, indexWorld, openWorld } from '../../../support/machines/world.ts';
import {
  type ClaudeLine,
  line,
  SESSION_ID,
  stampLines,
  toolPair,
  writeClaude,
} from '../../../support/transcripts/claude-transcripts.ts';
import {
  CHILD_ID,
  SESSION_ID as CODEX_ID,
  codexMeta,
  codexText,
  codexTurn,
  item,
  legacySession,
  paginated,
  paginatedSession,
  writeCodex,
} from '../../../support/transcripts/codex-transcripts.ts';

const TOKEN = `ghp_${'A1b2C3d4E5'.repeat(4).slice(0, 36)}`;
const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
const HOME_FILE = '/home/dev/widgets/src/a.ts';

const LINES: ClaudeLine[] = [
  line.user('Make it two'),
  line.assistant('I will look first.'),
  ...toolPair('Read', { file_path: HOME_FILE }, 'const a = 1;'),
  ...toolPair('Edit', { file_path: HOME_FILE, old_string: '1', new_string: '2' }, 'done'),
  line.assistant('It is two now.'),
  line.user('And three, and push'),
  ...toolPair(
    'MultiEdit',
    {
      file_path: HOME_FILE,
      edits: [
        { old_string: '2', new_string: '3' },
        { old_string: 'a', new_string: 'b' },
      ],
    },
    'done',
  ),
  ...toolPair(
    'Bash',
    { command: `git push https://me:${TOKEN}@github.com/acme/widgets` },
    'x'.repeat(30_000),
  ),
  line.assistant('Pushed.'),
];

async function open(parts: Parts, id: string) {
  const store = await parts.store();
  const deps = { ...parts, store, cache: createTurnCache() };
  return { deps, session: await findSession(store, id) };
}

function textOf(lines: ClaudeLine[]): string {
  return stampLines(lines)
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('');
}

async function claudeSession(lines = LINES) {
  const world = createWorld();
  const path = writeClaude(world.claudeHome, SESSION_ID, stampLines(lines));
  const parts = await openWorld(world);
  await indexWorld(parts);
  return { path, ...(await open(parts, SESSION_ID)) };
}

describe('readTurnWindow', () => {
  it('returns a turn’s texts and tool calls in order, with input, output and edits', async () => {
    const { deps, session } = await claudeSession();
    const { turns, total } = await readTurnWindow(deps, session, { from: 0, count: 1 });
    expect(total).toBe(2);
    expect(turns[0]?.steps).toEqual([
      { kind: 'text', text: 'I will look first.' },
      {
        kind: 'tool',
        name: 'Read',
        summary: 'Read src/a.ts',
        output: 'const a = 1;',
        input: JSON.stringify({ file_path: HOME_FILE }, null, 2),
      },
      {
        kind: 'tool',
        name: 'Edit',
        summary: 'Edit src/a.ts',
        output: 'done',
        edits: [{ path: 'src/a.ts', before: '1', after: '2' }],
      },
      { kind: 'text', text: 'It is two now.' },
    ]);
  });

  it('has what the model thought, redacted', async () => {
    const thought = line.thinking(`They gave me ${TOKEN}, so I can push.`);
    const { deps, session } = await claudeSession([line.user('Push'), thought, line.assistant('Pushed.')]);
    const { turns } = await readTurnWindow(deps, session, { from: 0, count: 1 });
    expect(turns[0]?.steps.map(({ kind }) => kind)).toEqual(['thinking', 'text']);
    const [step] = turns[0]?.steps ?? [];
    expect(step).toMatchObject({
      kind: 'thinking',
      text: expect.stringMatching(/^They gave me .*, so I can push\.$/),
    });
    expect(JSON.stringify(turns)).not.toContain(TOKEN);
  });

  it('has the summaries of what Codex’s model thought', async () => {
    const world = createWorld();
    const thought = item('reasoning', {
      summary: [{ type: 'summary_text', text: '**Pushing now**' }],
      encrypted_content: 'x',
    });
    // One without a summary is in it already.
    const lines = legacySession().flatMap((one) =>
      one.payload.type === 'reasoning' ? [one, thought] : [one],
    );
    writeCodex(world.codexHome, CODEX_ID, codexText(lines));
    const parts = await openWorld(world);
    await indexWorld(parts);
    const { deps, session } = await open(parts, CODEX_ID);
    const { turns } = await readTurnWindow(deps, session, { from: 0, count: 1 });
    expect(turns[0]?.steps).toContainEqual({ kind: 'thinking', text: '**Pushing now**' });
    expect(turns[0]?.steps.filter(({ kind }) => kind === 'thinking').length).toBe(1);
  });

  it('returns the same turns as show, whatever the window', async () => {
    const { deps, session } = await claudeSession();
    const whole = await readTurnWindow(deps, session, { from: 0, count: 50 });
    const one = await readTurnWindow(deps, session, { from: 1, count: 1 });
    expect(one.turns).toEqual(whole.turns.slice(1));
    const shown = (await viewSession(deps, session)).turns;
    expect(whole.turns.map(({ steps: _, ...turn }) => turn)).toEqual(shown);
  });

  it('redacts secrets in inputs, truncates long outputs, and says how much is missing', async () => {
    const { deps, session } = await claudeSession();
    const { turns } = await readTurnWindow(deps, session, { from: 1, count: 1 });
    const push = turns[0]?.steps.find((step) => step.kind === 'tool' && step.name === 'Bash');
    expect(JSON.stringify(turns)).not.toContain(TOKEN);
    expect(push).toMatchObject({ input: expect.stringContaining('[REDACTED:'), cut: 10_000 });
    expect(push?.kind === 'tool' && push.output?.length).toBe(20_000);
  });

  it('tells what precedes the first prompt from the answer to it', async () => {
    const lines = [
      { ...line.user('The summary so far'), isCompactSummary: true },
      line.assistant('The build was broken.'),
      ...toolPair('Read', { file_path: HOME_FILE }, 'const a = 1;'),
      line.user('What did you change?'),
      line.assistant('Nothing yet.'),
      line.user('Then begin'),
    ];
    const { deps, session } = await claudeSession(lines);
    const { turns, total } = await readTurnWindow(deps, session, { from: 0, count: 5 });
    expect(total).toBe(2);
    expect(turns[0]).toMatchObject({
      before: 'The build was broken.',
      user: 'What did you change?',
      assistant: 'Nothing yet.',
    });
    const kinds = turns[0]?.steps.map((step) => (step.kind === 'text' ? step.text : step.kind));
    expect(kinds).toEqual(['compaction', 'The build was broken.', 'tool', 'prompt', 'Nothing yet.']);
    expect(turns[1]?.before).toBeUndefined();
    const stored = await storedTurns(deps.store, session);
    expect(stored.map(({ before, user, assistant }) => [before, user, assistant])).toEqual([
      ['The summary so far\n\nThe build was broken.', 'What did you change?', 'Nothing yet.'],
      [undefined, 'Then begin', ''],
    ]);
    expect(htmlTurn(turns[0] as HtmlTurn, (text) => text)).toMatch(
      /Before the first prompt[\s\S]*The build was broken\.[\s\S]*What did you change\?[\s\S]*Nothing yet\./,
    );
  });

  it('returns failures, images and compactions', async () => {
    const [call, result] = toolPair('Bash', { command: 'npm test' }, 'ignored');
    const failing = structuredClone(result) as ClaudeLine & {
      message: { content: Record<string, unknown>[] };
    };
    Object.assign(failing.message.content[0] ?? {}, {
      is_error: true,
      content: [{ type: 'text', text: '1 failed' }, IMAGE],
    });
    const compaction = { ...line.user('The summary so far'), isCompactSummary: true };
    const lines = [line.user('Test it'), call, failing, compaction, line.assistant('It fails.')];
    const { deps, session } = await claudeSession(lines as ClaudeLine[]);
    const { turns } = await readTurnWindow(deps, session, { from: 0, count: 5 });
    expect(turns[0]?.steps).toEqual([
      expect.objectContaining({
        kind: 'tool',
        failed: true,
        output: '1 failed',
        input: 'npm test',
        images: [{ mime: 'image/png', data: 'iVBORw0KGgo=' }],
      }),
      { kind: 'compaction', summary: 'The summary so far' },
      { kind: 'text', text: 'It fails.' },
    ]);
  });

  it('reads a transcript again after it has grown', async () => {
    const { path, deps, session } = await claudeSession();
    expect((await readTurnWindow(deps, session, { from: 0, count: 9 })).total).toBe(2);
    appendFileSync(path, textOf([line.user('Once more'), line.assistant('Done again.')]));
    const { total, turns } = await readTurnWindow(deps, session, { from: 2, count: 9 });
    expect([total, turns[0]?.steps]).toEqual([3, [{ kind: 'text', text: 'Done again.' }]]);
  });

  it('lists subagents in the turn in which they began, and reads their own turns', async () => {
    const { path, deps, session } = await claudeSession();
    const file = join(dirname(path), SESSION_ID, 'subagents', 'agent-abc123.jsonl');
    mkdirSync(dirname(file), { recursive: true });
    const side = [line.user('Count the widgets'), line.assistant('There are nine.')];
    writeFileSync(file, textOf(side.map((one) => ({ ...one, isSidechain: true, agentId: 'abc123' }))));
    const { turns } = await readTurnWindow(deps, session, { from: 0, count: 9 });
    const [step] = turns.flatMap(({ steps }) => steps.filter(({ kind }) => kind === 'subagent'));
    expect(step).toEqual({ kind: 'subagent', id: 'abc123', title: 'Count the widgets', turn_count: 1 });
    const own = await readTurnWindow(deps, session, { from: 0, count: 9, subagent: 'abc123' });
    expect(own.turns.map(({ user, steps }) => [user, steps])).toEqual([
      ['Count the widgets', [{ kind: 'text', text: 'There are nine.' }]],
    ]);
    const unknown = readTurnWindow(deps, session, { from: 0, count: 9, subagent: 'nobody' });
    await expect(unknown).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });

  it.each([
    ['legacy', legacySession(), undefined],
    ['numbered', paginatedSession(), 0],
  ])('reads the %s lines of Codex', async (_, lines, firstOrdinal) => {
    const world = createWorld();
    writeCodex(world.codexHome, CODEX_ID, codexText(lines, firstOrdinal));
    const parts = await openWorld(world);
    await indexWorld(parts);
    const { deps, session } = await open(parts, CODEX_ID);
    const { turns } = await readTurnWindow(deps, session, { from: 0, count: 9 });
    const steps = turns[0]?.steps ?? [];
    expect(steps[0]).toEqual({ kind: 'text', text: 'I will add it.' });
    const test = steps.find((step) => step.kind === 'tool' && step.summary === 'Bash: npm test');
    expect(test).toMatchObject({ input: 'npm test', output: expect.stringContaining('all green') });
    expect(turns[1]?.steps).toEqual([{ kind: 'text', text: 'Done.' }]);
  });

  it("reads turns that a Codex fork inherits from its parent's transcript, and no further ones", async () => {
    const world = createWorld();
    const parent = paginatedSession();
    const last = parent.length;
    writeCodex(world.codexHome, CODEX_ID, codexText([...parent, ...paginated.user('Only the parent')], 0));
    const base = { session_id: CHILD_ID, history_mode: 'paginated', forked_from_id: CODEX_ID };
    const history = { history_base: { thread_id: CODEX_ID, end_ordinal_exclusive: last } };
    const child = [codexMeta(CHILD_ID, { ...base, ...history }), ...codexTurn('t2')];
    const own = [...paginated.user('The fork goes on'), ...paginated.assistant('It does.')];
    writeCodex(world.codexHome, CHILD_ID, codexText([...child, ...own], last));
    const parts = await openWorld(world);
    await indexWorld(parts);
    const { deps, session } = await open(parts, CHILD_ID);
    const { turns } = await readTurnWindow(deps, session, { from: 0, count: 9 });
    const shown = (await viewSession(deps, session)).turns;
    expect(turns[0]).toMatchObject({
      user: 'Please add a thing',
      steps: expect.arrayContaining([{ kind: 'text', text: 'I will add it.' }]),
    });
    expect(turns.map(({ user }) => user)).toEqual(shown.map(({ user }) => user));
    expect(turns.at(-1)?.steps).toEqual([{ kind: 'text', text: 'It does.' }]);
    expect(JSON.stringify(turns)).not.toContain('Only the parent');
  });
});

describe('a session', () => {
  it('outlines a session, and marks the matching turns', async () => {
    const { deps, session } = await claudeSession();
    expect(await readOutline(deps, session, 'push')).toMatchObject([
      { index: 0, title: 'Make it two', files_count: 1, has_match: false },
      { index: 1, title: 'And three, and push', files_count: 1, has_match: true },
    ]);
  });

  it('does not mark turns that have only the frequent words of a query', async () => {
    const numbers = [1, 2, 3, 4, 5].flatMap((number) => [
      line.user(`Explain part ${number}00`),
      line.assistant(`It calls part ${number}00.`),
    ]);
    const { deps, session } = await claudeSession(numbers);
    const marked = async (query: string) =>
      (await readOutline(deps, session, query))
        .filter(({ has_match }) => has_match)
        .map(({ index }) => index);
    expect(await marked('part 300')).toEqual([2]);
    expect(await marked('part')).toEqual([0, 1, 2, 3, 4]);
  });

  it('has its edits by file, in the order of the turns', async () => {
    const { deps, session } = await claudeSession();
    expect(await readEditedFiles(deps, session)).toEqual([{ path: 'src/a.ts', edits: 2, turns: [0, 1] }]);
    expect(await readFileEdits(deps, session, 'src/a.ts')).toEqual([
      { turn: 0, before: '1', after: '2' },
      { turn: 1, before: '2', after: '3' },
      { turn: 1, before: 'a', after: 'b' },
    ]);
  });
});

it('turns a Codex patch into edits', async () => {
  const world = createWorld();
  writeCodex(world.codexHome, CODEX_ID, codexText(legacySession()));
  const parts = await openWorld(world);
  await indexWorld(parts);
  const { deps, session } = await open(parts, CODEX_ID);
  expect(await readFileEdits(deps, session, 'src/a.ts')).toEqual([{ turn: 0, before: '1\n', after: '2\n' }]);
});
