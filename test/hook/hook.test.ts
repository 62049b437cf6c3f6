import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { workerEnvironment } from '../../src/adapters/system/start-worker.ts';
import { type Job, jobName } from '../../src/domain/machine/job.ts';
import { looksLikeHook } from '../../src/hook/hook.ts';
import { parseHookInput } from '../../src/hook/parse-input.ts';
import { rounds } from '../support/campaign.ts';
import { sessionIds, turnLines } from '../support/transcripts/claude-lines.ts';
import { ended, until, WorkerMachine } from '../support/workers/worker-machine.ts';

const SILENT = { code: 0, signal: null, out: '', err: '' };
const AT_ONCE = rounds({ quick: 30, slow: 100 });
const [SESSION = ''] = sessionIds(1);
const NO_SPACE =
  'data:text/javascript,' +
  encodeURIComponent(`import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
    const full = () => { throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }); };
    const { openSync } = fs;
    // Node itself opens files to load them.
    fs.openSync = (path, flags, ...rest) => (/^(?:r|0|undefined)$/.test(String(flags)) ? openSync(path, flags, ...rest) : full());
    fs.writeFileSync = full; syncBuiltinESMExports();`);

let machine: WorkerMachine;
beforeEach(() => {
  machine = new WorkerMachine(inject('workerProgram'));
});
afterEach(() => machine.close());

/** Makes hooks take this test process for the worker, so that they do not start one. */
function pretendWorker(): void {
  mkdirSync(machine.home, { recursive: true });
  writeFileSync(join(machine.home, 'worker.json'), JSON.stringify({ pid: process.pid }));
}

function jobs(): Job[] {
  const spool = join(machine.home, 'spool');
  if (!existsSync(spool)) return [];
  return readdirSync(spool)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(spool, name), 'utf8')));
}

describe('the hook', () => {
  beforeEach(pretendWorker);
  afterEach(() => writeFileSync(join(machine.home, 'worker.json'), '{"pid":null}'));

  it('leaves a job for the transcript', async () => {
    expect(await machine.hook('stop', machine.stopInput(SESSION))).toEqual(SILENT);
    expect(jobs()).toEqual([
      {
        event: 'stop',
        transcriptPath: machine.transcript(SESSION),
        sessionId: SESSION,
        at: expect.stringMatching(/^\d{4}-/),
      },
    ]);
  });

  it('leaves no job if the user turned automatic indexing off, comments or not', async () => {
    const off = '{ "indexing": { "auto_index": false } } // I index myself';
    writeFileSync(join(machine.home, 'config.json'), off);
    expect(await machine.hook('stop', machine.stopInput(SESSION))).toEqual(SILENT);
    expect(jobs()).toEqual([]);
    writeFileSync(join(machine.home, 'config.json'), '{ // "auto_index": false\n }');
    await machine.hook('stop', machine.stopInput(SESSION));
    expect(jobs()).toHaveLength(1);
  });

  it('leaves one job per transcript, however often the hook runs', async () => {
    const other = sessionIds(2)[1] ?? '';
    for (const session of [SESSION, other, SESSION, SESSION]) {
      await machine.hook('stop', machine.stopInput(session));
    }
    await machine.hook('session-end', machine.stopInput(SESSION));
    expect(
      jobs()
        .map(({ sessionId, event }) => [sessionId, event])
        .sort(),
    ).toEqual(
      [
        [SESSION, 'session-end'],
        [other, 'stop'],
      ].sort(),
    );
  });

  it('queues a Codex session by its id if the input names no transcript', async () => {
    const input = { hook_event_name: 'Stop', session_id: SESSION, transcript_path: null, turn_id: '1' };
    expect(await machine.hook('stop', JSON.stringify(input))).toEqual(SILENT);
    expect(jobs()).toMatchObject([{ sessionId: SESSION, transcriptPath: null }]);
  });

  it('queues the parent session when a subagent ends', async () => {
    const input = { ...JSON.parse(machine.stopInput(SESSION)), agent_transcript_path: '/x/agent-1.jsonl' };
    await machine.hook('subagent-stop', JSON.stringify(input));
    expect(jobs()).toMatchObject([{ event: 'subagent-stop', transcriptPath: machine.transcript(SESSION) }]);
  });

  it('ignores a session started by smart-fork itself', async () => {
    expect(await machine.hook('stop', machine.stopInput(SESSION), { SMART_FORK_CHILD: '1' })).toEqual(SILENT);
    expect(jobs()).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['junk', '\u0000\u0001 not json'],
    ['half an object', '{"session_id":"x","transcript'],
    ['an array', '[1,2,3]'],
    ['null', 'null'],
    ['fields of the wrong type', '{"session_id":{},"transcript_path":42}'],
    ['an invalid path', JSON.stringify({ transcript_path: 'x'.repeat(100_000) })],
  ])('asks the worker to look for changes if stdin contains %s', async (_, input) => {
    expect(await machine.hook('stop', input)).toEqual(SILENT);
    expect(jobs()).toHaveLength(1);
  });

  it('finds the transcript in an input longer than a megabyte', async () => {
    const input = machine
      .stopInput(SESSION)
      .replace(/\}$/, `,"last_assistant_message":"${'x'.repeat(5e6)}"}`);
    expect(await machine.hook('stop', input)).toEqual(SILENT);
    expect(jobs()).toMatchObject([{ transcriptPath: machine.transcript(SESSION) }]);
  });

  it('does not wait for stdin that stays open', async () => {
    const child = machine.start([inject('workerProgram'), 'hook', 'stop']);
    child.stdin?.write(machine.stopInput(SESSION));
    expect(await ended(child)).toEqual(SILENT);
    expect(jobs()).toMatchObject([{ sessionId: SESSION }]);
  });

  it('waits half a second for a slow stdin', async () => {
    const child = machine.start([inject('workerProgram'), 'hook', 'stop']);
    const started = performance.now();
    const timer = setInterval(() => child.stdin?.write(' '), 20);
    expect(await ended(child)).toEqual(SILENT);
    clearInterval(timer);
    expect(performance.now() - started).toBeGreaterThan(450);
  });

  it.each([
    ['/dev/null', '/dev/null'],
    ['a device that never ends', '/dev/zero'],
    ['a folder', '/'],
  ])('exits silently if stdin is %s', async (_, path) => {
    const child = spawn(process.execPath, [inject('workerProgram'), 'hook', 'stop'], {
      env: machine.env,
      stdio: [openSync(path, 'r'), 'pipe', 'pipe'],
    });
    expect(await ended(child)).toEqual(SILENT);
  });

  it.runIf(process.platform !== 'win32')('exits silently if stdin is closed', () => {
    const command = `exec "${process.execPath}" "${inject('workerProgram')}" hook stop <&- 2>&1`;
    expect(execFileSync('sh', ['-c', command], { env: machine.env, encoding: 'utf8' })).toBe('');
  });

  it.each([
    ['a home that cannot be created', { SMART_FORK_HOME: '/proc/none/smart-fork' }],
    ['a home that is a file', { SMART_FORK_HOME: process.execPath }],
    ['no home at all', { SMART_FORK_HOME: '', HOME: '/proc/none' }],
    ['a full disk', { NODE_OPTIONS: `--import=${NO_SPACE}` }],
  ])('exits silently with %s', async (_, env) => {
    expect(await machine.hook('stop', machine.stopInput(SESSION), env)).toEqual(SILENT);
    expect(jobs()).toEqual([]);
  });

  it.each(['', 'no-such-event', '--help'])('accepts an unknown event: %j', async (event) => {
    expect(await machine.hook(event, machine.stopInput(SESSION))).toEqual(SILENT);
    expect(jobs()).toHaveLength(1);
  });

  it('runs as `index --repo`, which some settings contain', async () => {
    const child = machine.start([inject('workerProgram'), 'index', '--repo', machine.root]);
    child.stdin?.end(machine.stopInput(SESSION));
    expect(await ended(child)).toEqual(SILENT);
    expect(jobs()).toMatchObject([{ event: 'stop', sessionId: SESSION }]);
  });

  it.each([
    ['other text is piped into it', 'some text'],
    ['nothing is piped into it', ''],
  ])('leaves `index --repo` to the command line if %s', async (_, input) => {
    const child = machine.start([inject('workerProgram'), 'index', '--repo', machine.root]);
    child.stdin?.end(input);
    expect((await ended(child)).out).not.toBe('');
  });

  it('leaves no half-written files behind', async () => {
    await Promise.all(Array.from({ length: 10 }, () => machine.hook('stop', machine.stopInput(SESSION))));
    expect(readdirSync(join(machine.home, 'spool'))).toHaveLength(1);
  });
});

it(`starts one worker for ${AT_ONCE} hooks at once, and indexes all sessions`, async () => {
  const ids = sessionIds(AT_ONCE);
  // The worker must not end before all hooks have run.
  machine.env.TEST_IDLE_MS = '600000';
  for (const id of ids) machine.append(id, turnLines(id, 0));
  const results = await Promise.all(ids.map((id) => machine.hook('stop', machine.stopInput(id))));
  expect(new Set(results.map((result) => JSON.stringify(result)))).toEqual(new Set([JSON.stringify(SILENT)]));
  await until(() => machine.status().record?.jobs === AT_ONCE, 'all jobs');
  process.kill(machine.status().record?.pid ?? Number.NaN, 'SIGTERM');
  await machine.workerGone();
  const log = readFileSync(join(machine.home, 'logs/indexing.log'), 'utf8');
  expect(log.match(/the worker starts/g)).toHaveLength(1);
  const parts = await machine.parts();
  expect((await (await parts.store()).count()).sessions).toBe(AT_ONCE);
  await parts.close();
}, 120_000);

it.runIf(process.platform === 'linux')(
  'starts a worker that outlives the hook and has no marks of its agent',
  async () => {
    machine.env.TEST_IDLE_MS = '600000';
    await machine.hook('session-start', machine.stopInput(SESSION), { CLAUDE_CODE_CHILD_SESSION: '1' });
    await until(() => machine.status().running, 'the worker');
    const pid = machine.status().record?.pid;
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    expect(environment).toContain('SMART_FORK_CHILD=1');
    expect(environment.some((line) => line.startsWith('CLAUDE_CODE_'))).toBe(false);
  },
);

it('keeps the variables that locate transcripts in the environment of the worker', () => {
  const env = {
    CLAUDECODE: '1',
    CLAUDE_CODE_SESSION_ID: 'x',
    CLAUDE_CONFIG_DIR: '/c',
    CODEX_HOME: '/x',
    CODEX_SANDBOX: '1',
    PATH: '/bin',
  };
  expect(workerEnvironment(env, '/h')).toEqual({
    CLAUDE_CONFIG_DIR: '/c',
    CODEX_HOME: '/x',
    PATH: '/bin',
    SMART_FORK_HOME: '/h',
    SMART_FORK_CHILD: '1',
  });
});

describe("a hook's input", () => {
  it('distinguishes a hook’s input from other text', () => {
    expect(parseHookInput('{"hook_event_name":"SessionEnd","session_id":"a"}', undefined)).toEqual({
      event: 'session-end',
      transcriptPath: null,
      sessionId: 'a',
      cwd: null,
      prompt: null,
      source: null,
      fromHook: true,
    });
    expect(parseHookInput('{"name":"x"}', undefined).fromHook).toBe(false);
  });

  it('does not read a hook’s input from inside a message', () => {
    const inner = JSON.stringify({ transcript_path: '/evil' });
    const text = JSON.stringify({ last_assistant_message: inner, transcript_path: '/good' }).slice(0, -1);
    expect(parseHookInput(text, 'stop').transcriptPath).toBe('/good');
  });
});

it('treats only `index --repo` as a possible hook', () => {
  expect(looksLikeHook(['search', 'x'])).toBe(false);
  expect(looksLikeHook(['index'])).toBe(false);
});

it('gives each transcript one job name, which is a safe file name', () => {
  const name = (transcriptPath: string) => jobName({ transcriptPath, sessionId: null });
  expect(name('/a/b/../weird name\n.jsonl')).toMatch(/^[\w-]+$/);
  expect(name('/a/x.jsonl')).not.toBe(name('/b/x.jsonl'));
  expect(name(`/${'x'.repeat(3000)}.jsonl`).length).toBeLessThan(120);
  expect(jobName({ transcriptPath: null, sessionId: null })).toBe('look');
});
