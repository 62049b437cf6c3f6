import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compose, type Parts } from '../../../src/compose/parts.ts';
import { openWorkerIndex, readWorkerStatus, runWorkerProcess } from '../../../src/compose/worker.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { WorkerStatus } from '../../../src/operations/reports.ts';
import { isSlow } from '../campaign.ts';

const PATIENCE_MS = 45_000;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

/** A separate machine for a test: a home with Claude's and smart-fork's folders, nothing inherited. */
export class WorkerMachine {
  readonly root = mkdtempSync(join(tmpdir(), 'smart-fork-worker-'));
  readonly home = join(this.root, 'smart-fork');
  readonly claude = join(this.root, 'claude');
  readonly project = join(this.claude, 'projects', '-work-shop');
  readonly env: Record<string, string>;
  readonly #program: string;
  readonly #started = new Set<ChildProcess>();

  /** @param program the path of the built program: `inject('workerProgram')` in tests */
  constructor(program: string, env: Record<string, string> = {}) {
    this.#program = program;
    this.env = {
      PATH: process.env.PATH ?? '',
      HOME: this.root,
      CLAUDE_CONFIG_DIR: this.claude,
      CODEX_HOME: join(this.root, 'codex'),
      SMART_FORK_HOME: this.home,
      HF_HOME: join(this.root, 'hf'),
      TEST_IDLE_MS: '1500',
      ...env,
    };
    mkdirSync(this.project, { recursive: true });
  }

  transcript(sessionId: string): string {
    return join(this.project, `${sessionId}.jsonl`);
  }

  append(sessionId: string, lines: string[]): void {
    appendFileSync(this.transcript(sessionId), lines.join(''));
  }

  stopInput(sessionId: string): string {
    return JSON.stringify({
      session_id: sessionId,
      transcript_path: this.transcript(sessionId),
      cwd: this.root,
      hook_event_name: 'Stop',
      stop_hook_active: false,
    });
  }

  hook(event: string, input: string | null, env: Record<string, string> = {}): Promise<Ended> {
    const child = this.start([this.#program, 'hook', event], env);
    if (input !== null) child.stdin?.end(input);
    return ended(child);
  }

  worker(...mode: string[]): ChildProcess {
    return this.start([this.#program, 'worker', ...mode]);
  }

  start(args: string[], env: Record<string, string> = {}): ChildProcess {
    const child = spawn(process.execPath, args, { env: { ...this.env, ...env }, cwd: this.root });
    child.stdin?.on('error', () => undefined);
    this.#started.add(child);
    child.once('exit', () => this.#started.delete(child));
    return child;
  }

  /** Runs workers until nothing is left, including delayed retries. */
  async drain(): Promise<void> {
    await this.workerGone();
    for (;;) {
      await this.work();
      if (this.status().waiting === 0) return;
      await sleep(200);
    }
  }

  /** Runs a worker until nothing is due: in this process, because a separate worker takes longer to start than to work. */
  async work(): Promise<void> {
    if (isSlow) {
      const { err } = await ended(this.worker('drain'));
      if (err !== '') throw new Error(err);
      return;
    }
    const { home } = this;
    const { signal } = new AbortController();
    const open = async () => openWorkerIndex(await this.parts());
    const { errors } = await this.parts();
    await runWorkerProcess({
      home,
      host: hostname(),
      until: 'drain',
      lowPriority: false,
      errors,
      signal,
      open,
    });
  }

  status(): WorkerStatus {
    return readWorkerStatus(this.home);
  }

  /** Waits until no worker runs. */
  async workerGone(): Promise<void> {
    await until(() => !this.status().running, 'the worker to end');
  }

  async parts(): Promise<Parts> {
    return await compose(await loadConfig(this.env));
  }

  async close(): Promise<void> {
    const { record } = this.status();
    if (this.status().running && record?.pid && record.pid !== process.pid) kill(record.pid);
    for (const child of this.#started) child.kill('SIGKILL');
    await this.workerGone();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Waits for a condition. The limit only ends a hang, so it is far above what a slow machine needs. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; !holds(); await sleep(10)) {
    if (Date.now() > deadline) throw new Error(`waited ${PATIENCE_MS} ms for ${what}`);
  }
}

export function ended(child: ChildProcess): Promise<Ended> {
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, out, err }));
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
