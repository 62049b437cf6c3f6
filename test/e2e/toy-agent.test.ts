import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Library from '../../src/index.ts';
import { tempFolder } from '../support/files/temp-folder.ts';
import { connect } from '../support/machines/mcp-world.ts';
import { startServe } from '../support/machines/start-serve.ts';
import { buildToyProgram, type ToyProgram } from '../support/toy/build-toy-program.ts';
import { type Notebook, toyMessage, toySession, writeNotebook } from '../support/toy/notebook.ts';

const ID = '5e551000-0000-4000-8000-000000000001';
const OTHER = '5e55200f-0000-4000-8000-000000000002';

let built: ToyProgram;
beforeAll(async () => {
  built = await buildToyProgram();
});
afterAll(() => built.remove());

// The program is built with one row and one source more, as for any agent that has neither commands nor files of its own.
describe('a third agent that is nothing like the first two', () => {
  it('is indexed by what changed', async () => {
    const toy = await createToyMachine();
    expect(await toy.json('index', '--no-embed')).toMatchObject({ found: 2, indexed: 2, failed: [] });
    expect(await toy.json('index', '--no-embed')).toMatchObject({ indexed: 0, unchanged: 2 });
    toy.say('user', 'Now repaint the lighthouse');
    toy.say('assistant', 'The lighthouse is white again.');
    expect(await toy.json('index', '--no-embed')).toMatchObject({ indexed: 1, unchanged: 1 });
    expect(await idsOf(toy, 'lighthouse repaint')).toEqual([ID]);
    expect(await idsOf(toy, 'sundial')).toEqual([ID]);
    toy.change(({ messages }) => {
      Object.assign(messages[0] ?? {}, { text: 'Repair the castle' });
    });
    expect(await toy.json('index', '--no-embed')).toMatchObject({ indexed: 1, unchanged: 1 });
    expect(await idsOf(toy, 'sundial')).toEqual([]);
    expect(await idsOf(toy, 'castle')).toEqual([ID]);
    expect(await toy.json('show', ID)).toMatchObject({ session: { agent: 'toy', message_count: 4 } });
  });

  it('is named at the command line', async () => {
    const toy = await createToyMachine();
    await toy.run('index', '--no-embed');
    for (const words of [['sessions'], ['search', 'harbor', '--mode', 'keyword'], ['show', ID]])
      expect((await toy.run(...words)).stdout).toMatch(/\bToy\b/);
    const retrieved = await toy.run('retrieve', ID);
    expect(retrieved.stdout).toContain('an earlier Toy Agent session');
    expect(retrieved.stderr).toContain('This session is on this machine, but its agent cannot fork it');
    expect(await idsOf(toy, 'harbor', '--agent', 'toy')).toEqual([ID]);
    expect(await idsOf(toy, 'harbor', '--agent', 'codex')).toEqual([]);
    expect((await toy.run('search', 'harbor with toy agent', '--mode', 'keyword')).stdout).toContain(
      'with Toy Agent',
    );
    const checks = (await toy.json('doctor')) as unknown as { checks: { name: string; message: string }[] };
    expect(checks.checks).toContainEqual(
      expect.objectContaining({ name: 'Toy Agent', message: `2 transcripts in ${toy.agentHome}` }),
    );
    expect((await toy.run('search', '--help')).stdout).toMatch(/"toy"/);
    const settings = await toy.run('config', 'list');
    expect(settings.stdout).toMatch(/toy\.homes/);
  });

  it('is named by the MCP server, the REST routes and the library', async () => {
    const toy = await createToyMachine();
    await toy.run('index', '--no-embed');
    const mcp = await connect(toy.env, toy.folder, { program: built.main });
    try {
      const listed = await mcp.call('list_sessions', { agent_type: 'toy' });
      expect(listed.structured.sessions).toHaveLength(2);
      const session = await mcp.call('get_session', { session_id: ID });
      expect(session.text).toMatch(/Agent\W+Toy Agent/);
      expect(session.structured.fork_command).toBeNull();
      const found = await mcp.call('fork_detect', { intent: 'sundial of the harbor', scope: 'all' });
      expect(found.structured.results).toMatchObject([{ agent_type: 'toy' }, { agent_type: 'toy' }]);
      const context = await mcp.call('get_session_context', { session_id: ID });
      expect(context.text).toContain('an earlier Toy Agent session');
      expect(context.structured.can_fork).toBe(false);
    } finally {
      await mcp.close();
    }
    const server = await startServe({ env: toy.env, cwd: toy.folder, program: built.main }, '--no-worker');
    try {
      const headers = { authorization: `Bearer ${server.token}` };
      const get = async (path: string) => (await fetch(`${server.url}/api/v1/${path}`, { headers })).json();
      const list = (await get('sessions?agent=toy')) as { sessions: { agent: string }[] };
      expect(list.sessions.map(({ agent }) => agent)).toEqual(['toy', 'toy']);
    } finally {
      await server.stop('SIGTERM');
    }
    const { openSmartFork, loadConfig } = (await import(pathToFileURL(built.library).href)) as typeof Library;
    const library = await openSmartFork(await loadConfig(toy.env));
    try {
      const { sessions } = await library.sessions({});
      expect(sessions.map(({ agent }) => String(agent))).toEqual(['toy', 'toy']);
      await expect(library.restore({ id: ID })).rejects.toThrow('Toy Agent cannot get an archived session');
    } finally {
      await library.close();
    }
  });

  it('is refused to fork, restore and start, with the way that works', async () => {
    const toy = await createToyMachine();
    await toy.run('index', '--no-embed');
    for (const [words, problem] of [
      [['fork', ID, '--print'], 'Toy Agent sessions cannot be forked'],
      [['fork', ID, '--at', '1', '--print'], 'Toy Agent sessions cannot be forked'],
      [['fork', ID, '--exec'], 'Toy Agent sessions cannot be forked'],
      [['fork', ID, '--inject', '--print'], 'Toy Agent cannot be started from a command line'],
      [['restore', ID], 'Toy Agent cannot get an archived session back from a file'],
    ] as const) {
      const { code, stderr } = await toy.run(...words);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
      expect(stderr).toContain(`smart-fork fork ${ID} --into claude`);
    }
    const { code, stdout, stderr } = await toy.run('fork', ID, '--into', 'claude', '--print');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain('claude');
  });

  it('is archived, read from the archive once it is gone, and forgotten', async () => {
    const toy = await createToyMachine();
    await toy.run('index', '--no-embed', '--archive');
    toy.remove(ID);
    expect((await toy.run('show', ID)).stdout).toContain('The harbor is open.');
    expect((await toy.run('retrieve', ID)).stdout).toContain('The harbor is open.');
    rmSync(join(toy.home, 'index.db'));
    await toy.run('index', '--no-embed');
    expect((await toy.run('forget', ID, '--yes')).code).toBe(0);
    expect((await toy.run('show', ID)).code).not.toBe(0);
    expect((await toy.run('forget', OTHER, '--yes')).code).toBe(0);
    expect(await toy.json('index', '--no-embed')).toMatchObject({ indexed: 0 });
    expect(await idsOf(toy, 'garden')).toEqual([]);
  });
});

async function createToyMachine() {
  const folder = tempFolder('toy');
  const [home, agentHome, work] = [join(folder, 'smart-fork'), join(folder, 'toy'), join(folder, 'widgets')];
  mkdirSync(work);
  const notebook: Notebook = {
    sessions: [
      toySession(ID, [
        { role: 'user', text: 'Repair the sundial of the harbor' },
        { role: 'assistant', text: 'The harbor is open.', edits: ['src/a.ts'], runs: ['npm test'] },
      ]),
      toySession(OTHER, [
        { role: 'user', text: 'Plant a garden' },
        { role: 'assistant', text: 'The garden grows.' },
      ]),
    ],
  };
  for (const session of notebook.sessions) session.folder = work;
  const save = () => writeNotebook(agentHome, notebook);
  save();
  const change = (edit: (session: Notebook['sessions'][number]) => void) => {
    const session = notebook.sessions.find(({ id }) => id === ID);
    if (session === undefined) throw new Error('the session is gone');
    edit(session);
    session.revision += 1;
    save();
  };
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    USERPROFILE: folder,
    TMPDIR: folder,
    SMART_FORK_HOME: home,
    CLAUDE_CONFIG_DIR: join(folder, 'claude'),
    CODEX_HOME: join(folder, 'codex'),
    TOY_HOME: agentHome,
    HF_HOME: join(folder, 'hub'),
    COLUMNS: '200',
  };
  const run = (...words: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
      execFile(process.execPath, [built.main, ...words], { env, cwd: work }, (error, stdout, stderr) =>
        done({ code: Number(error?.code ?? 0), stdout, stderr }),
      ).stdin?.end();
    });
  return {
    folder,
    home,
    agentHome,
    env,
    run,
    change,
    say: (role: 'user' | 'assistant', text: string) =>
      change(({ id, messages }) => messages.push(toyMessage(id, messages.length, { role, text }))),
    remove(gone: string) {
      notebook.sessions = notebook.sessions.filter(({ id }) => id !== gone);
      save();
    },
    async json(...words: string[]): Promise<Record<string, unknown>> {
      const { stdout, stderr } = await run(...words, '--json');
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout);
    },
  };
}

type ToyMachine = Awaited<ReturnType<typeof createToyMachine>>;

async function idsOf(toy: ToyMachine, query: string, ...words: string[]): Promise<string[]> {
  const { results } = (await toy.json('search', query, '--mode', 'keyword', ...words)) as unknown as {
    results: { session_id: string }[];
  };
  return results.map(({ session_id }) => session_id);
}
