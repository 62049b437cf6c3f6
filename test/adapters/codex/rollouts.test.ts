import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, runJson } from '../../support/machines/cli.ts';
import { createWorld, type World } from '../../support/machines/world.ts';
import { zstdFrame } from '../../support/transcripts/zstd-frame.ts';

const THREAD = '019f1000-0000-7000-8000-000000000002';
const LATER = '019f2000-0000-7000-8000-000000000003';
const DAY = 'sessions/2026/07/01';

describe('several rollouts of one Codex thread', () => {
  it.each([
    ['the thread’s own id', THREAD, false],
    ['an id of its own, after going back in the thread', LATER, false],
    ['the thread’s own id, and the first one is compressed', THREAD, true],
  ])('reads them as one session, if the later one is named by %s', async (_, rollout, isCompressed) => {
    const world = createWorld();
    const first = write(world, `${DAY}/rollout-2026-07-01T09-00-00-${THREAD}.jsonl`, [
      meta(0),
      user(1, 'old lorikeet'),
    ]);
    if (isCompressed) compress(first);
    const base = { thread_id: THREAD, end_ordinal_exclusive: 2, end_byte_offset: 1 };
    write(world, `sessions/2026/07/04/rollout-2026-07-04T09-00-00-${rollout}.jsonl`, [
      meta(2, { history_base: base }),
      user(3, 'new cockatoo'),
    ]);
    expect(await runJson(world, ['index', '--no-embed', '--archive'])).toMatchObject({
      indexed: 1,
      duplicates: 0,
    });
    for (const word of ['lorikeet', 'cockatoo']) expect(await idsOf(world, word)).toEqual([THREAD]);
    const shown = await runJson(world, ['show', THREAD]);
    expect((shown.turns as { user: string }[]).map(({ user: text }) => text)).toEqual([
      'old lorikeet',
      'new cockatoo',
    ]);
    expect(await runJson(world, ['index', '--no-embed'])).toMatchObject({ unchanged: 1, indexed: 0 });
    rmSync(join(world.codexHome, 'sessions'), { recursive: true });
    await runCli(world, ['restore', THREAD]);
    expect((await runCli(world, ['show', THREAD])).stdout).toContain('old lorikeet');
  });

  it('marks the turns that a later rollout leaves out, in the files and in one that was restored', async () => {
    const world = createWorld();
    write(world, `${DAY}/rollout-2026-07-01T09-00-00-${THREAD}.jsonl`, [
      meta(0),
      user(1, 'a lorikeet'),
      user(2, 'a wrong galah'),
      user(3, 'a wrong corella'),
    ]);
    const base = (end: number) => ({ thread_id: THREAD, end_ordinal_exclusive: end, end_byte_offset: 1 });
    write(world, `sessions/2026/07/04/rollout-2026-07-04T09-00-00-${LATER}.jsonl`, [
      meta(2, { history_base: base(2) }),
      user(4, 'a cockatoo'),
    ]);
    const rewound = async () => {
      const { turns } = await runJson(world, ['show', THREAD]);
      return (turns as { user: string; rewound?: true }[])
        .filter((one) => one.rewound)
        .map((one) => one.user);
    };
    await runJson(world, ['index', '--no-embed', '--archive']);
    expect(await rewound()).toEqual(['a wrong galah', 'a wrong corella']);
    expect((await runCli(world, ['retrieve', THREAD])).stdout).not.toContain('corella');
    rmSync(join(world.codexHome, 'sessions'), { recursive: true });
    await runCli(world, ['restore', THREAD]);
    expect(await rewound()).toEqual(['a wrong galah', 'a wrong corella']);
  });

  it('restores as many rollouts as there were, named as Codex names them', async () => {
    const world = createWorld();
    const [second, third] = [LATER, '019f3000-0000-7000-8000-000000000004'];
    const name = (day: number, ids: string) =>
      `sessions/2026/07/0${day}/rollout-2026-07-0${day}T09-00-00-${ids}.jsonl`;
    const of = (at: number, day: number, base?: { thread_id: string; end_ordinal_exclusive: number }) => {
      const payload = {
        account_scoped: true,
        session_id: THREAD,
        ...meta(at).payload,
        timestamp: `2026-07-0${day}T09:00:00.000Z`,
      };
      return { ...meta(at), payload: { ...payload, history_base: base } };
    };
    const files = [
      write(world, name(1, THREAD), [of(0, 1), user(1, 'a lorikeet'), user(2, 'a wrong galah')]),
      write(world, name(2, `${THREAD}_${second}`), [
        of(2, 2, { thread_id: THREAD, end_ordinal_exclusive: 2 }),
        user(3, 'a cockatoo'),
        user(4, 'a wrong corella'),
      ]),
      write(world, name(3, `${THREAD}_${third}`), [
        of(4, 3, { thread_id: second, end_ordinal_exclusive: 4 }),
        user(5, 'a budgerigar'),
      ]),
    ];
    const contents = files.map((path) => readFileSync(path, 'utf8'));
    expect(await runJson(world, ['index', '--no-embed', '--archive'])).toMatchObject({ indexed: 1 });
    const { turns } = await runJson(world, ['show', THREAD]);
    expect(
      (turns as { user: string; rewound?: true }[]).flatMap((one) => (one.rewound ? one.user : [])),
    ).toEqual(['a wrong galah', 'a wrong corella']);
    for (const rest of [0, 1, 2]) {
      for (const path of files.slice(rest)) rmSync(path);
      if (rest > 0) writeFileSync(files[rest - 1] ?? '', contents[rest - 1]?.slice(0, -9) ?? '');
      const { state, path, files: all } = await runJson(world, ['restore', THREAD]);
      expect(state).toBe(rest === 0 ? 'restored' : 'replaced');
      expect(all).toHaveLength(3);
      expect(path).toBe((all as string[])[2]);
      const there = readdirSync(join(world.codexHome, 'sessions'), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.jsonl'))
        .sort((a, b) => basename(a).localeCompare(basename(b)));
      expect(there.map((path) => readFileSync(join(world.codexHome, 'sessions', path), 'utf8'))).toEqual(
        contents,
      );
      expect(there.map((path) => basename(path).includes(THREAD))).toEqual([true, true, true]);
      expect(there[1]).toContain(`${THREAD}_${second}`);
      expect(await runJson(world, ['restore', THREAD])).toMatchObject({ state: 'unchanged' });
      files.splice(0, 3, ...there.map((path) => join(world.codexHome, 'sessions', path)));
    }
  });

  it('leaves a compressed rollout as it is when it completes a later one', async () => {
    const world = createWorld();
    const first = write(world, `${DAY}/rollout-2026-07-01T09-00-00-${THREAD}.jsonl`, [
      meta(0),
      user(1, 'old lorikeet'),
    ]);
    compress(first);
    const compressed = readFileSync(`${first}.zst`);
    const base = { thread_id: THREAD, end_ordinal_exclusive: 2 };
    const later = write(world, `${DAY}/rollout-2026-07-04T09-00-00-${THREAD}_${LATER}.jsonl`, [
      meta(2, { history_base: base }),
      user(3, 'new cockatoo'),
      user(4, 'new galah'),
    ]);
    const whole = readFileSync(later, 'utf8');
    await runJson(world, ['index', '--no-embed', '--archive']);
    writeFileSync(later, whole.slice(0, -9));
    expect(await runJson(world, ['restore', THREAD])).toMatchObject({ state: 'replaced' });
    expect(readFileSync(later, 'utf8')).toBe(whole);
    expect(readFileSync(`${first}.zst`).equals(compressed)).toBe(true);
  });

  it('reads the copy with more content, and says which one it does not read', async () => {
    const world = createWorld();
    const name = `rollout-2026-07-01T09-00-00-${THREAD}.jsonl`;
    const active = write(world, `${DAY}/${name}`, [meta(0), user(1, 'old lorikeet')]);
    write(world, `archived_sessions/${name}`, [meta(0), user(1, 'old lorikeet'), user(2, 'longer cockatoo')]);
    expect(await runJson(world, ['index', '--no-embed'])).toMatchObject({
      indexed: 1,
      duplicates: 1,
      unread: [{ reason: 'copy', count: 1, files: [active] }],
    });
    expect(await idsOf(world, 'cockatoo')).toEqual([THREAD]);
  });

  it('reads compressed rollouts with every version of Node', async () => {
    const world = createWorld();
    compress(
      write(world, `${DAY}/rollout-2026-07-01T09-00-00-${THREAD}.jsonl`, [meta(0), user(1, 'a lorikeet')]),
    );
    await runCli(world, ['index', '--no-embed']);
    expect(await idsOf(world, 'lorikeet')).toEqual([THREAD]);
  });
});

describe('Codex transcripts without events', () => {
  const sent = (role: string, text: string) => ({
    type: 'message',
    role,
    content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
  });
  const item = (payload: object) => ({
    timestamp: '2026-07-01T09:00:01.000Z',
    type: 'response_item',
    payload,
  });

  it('reads the messages that were sent to the model, until events begin', async () => {
    const world = createWorld();
    write(world, `${DAY}/rollout-2026-07-01T09-00-00-${THREAD}.jsonl`, [
      { ...meta(0), ordinal: undefined },
      item(sent('user', '<environment_context>\n<cwd>/x</cwd>\n</environment_context>')),
      item(sent('user', 'first numbat')),
      item(sent('assistant', 'answer galah')),
      item(sent('user', 'second bilby')),
      {
        timestamp: '2026-07-01T09:00:02.000Z',
        type: 'event_msg',
        payload: { type: 'user_message', message: 'second bilby' },
      },
      {
        timestamp: '2026-07-01T09:00:03.000Z',
        type: 'event_msg',
        payload: { type: 'agent_message', message: 'answer quoll' },
      },
      item(sent('assistant', 'answer quoll')),
    ]);
    await runCli(world, ['index', '--no-embed']);
    const { session, turns } = await runJson(world, ['show', THREAD]);
    expect(session).toMatchObject({ user_messages: 2, assistant_messages: 2 });
    expect((turns as { user: string }[]).map(({ user: text }) => text)).toEqual([
      'first numbat',
      'second bilby',
    ]);
  });

  it('reads what was sent to the model too if the only events tell of turns and tokens', async () => {
    const world = createWorld();
    const event = (payload: object) => ({
      timestamp: '2026-07-01T09:00:02.000Z',
      type: 'event_msg',
      payload,
    });
    const path = `${DAY}/rollout-2026-07-01T09-00-00-${THREAD}.jsonl`;
    const begun = [
      { ...meta(0), ordinal: undefined },
      event({ type: 'task_started', turn_id: 't' }),
      item(sent('user', 'first numbat')),
    ];
    // Codex may write the event of the prompt next.
    write(world, path, begun);
    expect(await runJson(world, ['index', '--no-embed'])).toMatchObject({ indexed: 0 });
    write(world, path, [
      ...begun,
      event({ type: 'token_count', info: null }),
      item(sent('assistant', 'answer galah')),
      event({ type: 'task_complete' }),
    ]);
    await runCli(world, ['index', '--no-embed']);
    const { turns } = await runJson(world, ['show', THREAD]);
    expect(turns).toMatchObject([{ user: 'first numbat', assistant: 'answer galah' }]);
  });

  it('reads the bare lines of 2025', async () => {
    const world = createWorld();
    write(world, `sessions/2025/07/01/rollout-2025-07-01T10-00-00-${THREAD}.jsonl`, [
      { id: THREAD, timestamp: '2025-07-01T10:00:00.000Z', instructions: null, git: { branch: 'main' } },
      sent(
        'user',
        '<environment_context>\nCurrent working directory: /home/dev/widgets\n</environment_context>',
      ),
      { record_type: 'state' },
      sent('user', 'old tawny'),
      { type: 'function_call', name: 'shell', arguments: '{"command":["npm","test"]}', call_id: 'c1' },
      { type: 'function_call_output', call_id: 'c1', output: 'ok' },
      sent('assistant', 'old answer'),
    ]);
    expect(await runJson(world, ['index', '--no-embed'])).toMatchObject({ indexed: 1, unread: [] });
    const { session } = await runJson(world, ['show', THREAD]);
    expect(session).toMatchObject({
      user_messages: 1,
      tool_calls: 1,
      working_directory: '/home/dev/widgets',
    });
    expect(await idsOf(world, 'tawny')).toEqual([THREAD]);
  });

  it('reads each message once in a rollout that a repair wrote with other spaces and in another order', async () => {
    const told = (type: string, message: string) => ({
      timestamp: '2026-07-01T09:01:00.000Z',
      type: 'event_msg',
      payload: { type, message },
    });
    const rows = [
      { ...meta(0), ordinal: undefined },
      item(sent('user', 'one')),
      told('user_message', 'one'),
      told('agent_message', 'done'),
      item(sent('assistant', 'done')),
    ];
    const spaced = (row: object) => JSON.stringify(row, null, 1).replace(/\n\s*/g, ' ');
    const reversed = (row: object) => JSON.stringify(Object.fromEntries(Object.entries(row).reverse()));
    for (const rewrite of [spaced, reversed]) {
      const world = createWorld();
      const path = write(world, `${DAY}/rollout-2026-07-01T09-00-00-${THREAD}.jsonl`, rows);
      writeFileSync(path, rows.map((row) => `${rewrite(row)}\n`).join(''));
      await runCli(world, ['index', '--no-embed']);
      const { turns } = await runJson(world, ['show', THREAD]);
      expect(turns).toMatchObject([{ user: 'one', assistant: 'done' }]);
    }
  });

  it('counts a prompt of one image as a turn', async () => {
    const world = createWorld();
    const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' };
    write(world, `${DAY}/rollout-2026-07-01T09-00-00-${THREAD}.jsonl`, [
      { ...meta(0), ordinal: undefined },
      item({ type: 'message', role: 'user', content: [image] }),
      item(sent('assistant', 'a cat')),
      item(sent('user', 'then fix it')),
      item(sent('assistant', 'fixed')),
    ]);
    await runCli(world, ['index', '--no-embed']);
    const { turns } = await runJson(world, ['show', THREAD]);
    expect(turns).toMatchObject([{ user: '[Image]' }, { user: 'then fix it' }]);
  });
});

describe('what the user did in Codex', () => {
  const event = (minute: number, payload: object) => ({
    timestamp: `2026-07-01T09:0${minute}:00.000Z`,
    type: 'event_msg',
    payload,
  });
  const prompt = (minute: number, message: string) => event(minute, { type: 'user_message', message });
  const answer = (minute: number, message: string) => event(minute, { type: 'agent_message', message });

  it('marks the turns that a rollback took back', async () => {
    const world = createWorld();
    write(world, `${DAY}/rollout-2026-07-01T09-00-00-${THREAD}.jsonl`, [
      { ...meta(0), ordinal: undefined },
      prompt(1, 'build the cache'),
      answer(2, 'built'),
      prompt(3, 'use the wrong memcached'),
      answer(4, 'used'),
      event(5, { type: 'thread_rolled_back', num_turns: 1 }),
      prompt(6, 'use valkey'),
      answer(7, 'used valkey'),
    ]);
    await runCli(world, ['index', '--no-embed']);
    const { turns } = (await runJson(world, ['show', THREAD])) as {
      turns: { user: string; rewound?: boolean }[];
    };
    expect(turns.map(({ user: text, rewound = false }) => [text, rewound])).toEqual([
      ['build the cache', false],
      ['use the wrong memcached', true],
      ['use valkey', false],
    ]);
    expect((await runCli(world, ['retrieve', THREAD])).stdout).not.toMatch(/^USER: use the wrong/m);
  });

  it('reads a thread’s name from its events, unless Codex’s list has one', async () => {
    const world = createWorld();
    write(world, `${DAY}/rollout-2026-07-01T09-00-00-${THREAD}.jsonl`, [
      { ...meta(0), ordinal: undefined },
      prompt(1, 'do it'),
      event(2, { type: 'thread_name_updated', thread_id: THREAD, thread_name: 'the potoroo ledger' }),
      answer(3, 'done'),
    ]);
    const title = async () => {
      await runCli(world, ['index', '--no-embed']);
      return ((await runJson(world, ['show', THREAD])) as { session: { title: string } }).session.title;
    };
    expect(await title()).toBe('the potoroo ledger');
    write(world, 'session_index.jsonl', [{ id: THREAD, thread_name: 'the numbat ledger' }]);
    expect(await title()).toBe('the numbat ledger');
  });

  it.each([
    'exec command rejected by user: keep the quoll logs',
    'patch rejected by the user with reason: keep the quoll logs',
    'exec command rejected by user with a reason: keep the quoll logs',
  ])('reads the reason for a refusal: %s', async (output) => {
    const world = createWorld();
    const item = (payload: object) => ({
      timestamp: '2026-07-01T09:02:00.000Z',
      type: 'response_item',
      payload,
    });
    write(world, `${DAY}/rollout-2026-07-01T09-00-00-${THREAD}.jsonl`, [
      { ...meta(0), ordinal: undefined },
      prompt(1, 'tidy up'),
      item({ type: 'function_call', name: 'shell', arguments: '{"command":["rm","x"]}', call_id: 'c' }),
      item({ type: 'function_call_output', call_id: 'c', output }),
      answer(3, 'kept'),
    ]);
    await runCli(world, ['index', '--no-embed']);
    const { stdout } = await runCli(world, ['retrieve', THREAD]);
    expect(stdout).toContain('USER (reply): keep the quoll logs');
    expect(stdout).not.toContain('rejected by');
  });

  it('reads what the user typed into a dialog', async () => {
    const world = createWorld();
    const item = (payload: object) => ({
      timestamp: '2026-07-01T09:02:00.000Z',
      type: 'response_item',
      payload,
    });
    const options = [{ label: 'Postgres', description: '' }];
    const questions = [{ id: 'q', question: 'Which store?', header: 'Store', options }];
    const output = JSON.stringify({ answers: { q: { answers: ['user_note: platypusdb, it is embedded'] } } });
    write(world, `${DAY}/rollout-2026-07-01T09-00-00-${THREAD}.jsonl`, [
      { ...meta(0), ordinal: undefined },
      prompt(1, 'choose the store'),
      item({
        type: 'function_call',
        name: 'request_user_input',
        arguments: JSON.stringify({ questions }),
        call_id: 'c',
      }),
      item({ type: 'function_call_output', call_id: 'c', output }),
      answer(3, 'chosen'),
    ]);
    await runCli(world, ['index', '--no-embed']);
    expect(await idsOf(world, 'platypusdb')).toEqual([THREAD]);
    const { stdout } = await runCli(world, ['retrieve', THREAD]);
    expect(stdout).toContain('platypusdb, it is embedded');
    expect(stdout).not.toContain('user_note');
  });
});

function write(world: World, path: string, lines: object[]): string {
  const file = join(world.codexHome, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return file;
}

function compress(path: string): void {
  const bytes = readFileSync(path);
  renameSync(path, `${path}.zst`);
  writeFileSync(`${path}.zst`, zstdFrame(bytes));
}

function meta(ordinal: number, more: object = {}) {
  const timestamp = '2026-07-01T09:00:00.000Z';
  const payload = { id: THREAD, timestamp, cwd: '/home/dev/widgets', cli_version: '0.165.0', ...more };
  return { timestamp, ordinal, type: 'session_meta', payload };
}

function user(ordinal: number, text: string) {
  const item = { type: 'UserMessage', id: `u${ordinal}`, content: [{ type: 'text', text }] };
  const timestamp = `2026-07-01T09:00:0${ordinal}.000Z`;
  return { timestamp, ordinal, type: 'event_msg', payload: { type: 'item_completed', item } };
}

async function idsOf(world: World, word: string): Promise<string[]> {
  const { results } = (await runJson(world, ['search', word])) as { results: { session_id: string }[] };
  return results.map(({ session_id }) => session_id);
}
