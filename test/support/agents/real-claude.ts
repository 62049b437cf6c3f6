import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** The Claude Code at SMART_FORK_TEST_CLAUDE, or null. */
export function findClaude(): { path: string; version: string } | null {
  const path = process.env.SMART_FORK_TEST_CLAUDE;
  if (!path) {
    console.warn('skipped: Claude Code is not here (SMART_FORK_TEST_CLAUDE=/path/to/claude)');
    return null;
  }
  const version = /\d+\.\d+\.\d+/.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout)?.[0];
  return { path, version: version ?? 'unknown' };
}

/** The program's whole environment: a temporary home, no login, no network. */
export function environmentIn(folder: string, claude: string): Record<string, string> {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(folder, 'home'), { recursive: true });
  symlinkSync(claude, join(bin, 'claude'));
  chmodSync(bin, 0o755);
  return {
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: join(folder, 'home'),
    CLAUDE_CONFIG_DIR: join(folder, 'claude'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    TERM: 'dumb',
  };
}

/** Runs a command line in a shell and returns its output. */
export function runLine(line: string, cwd: string, env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn('/bin/sh', ['-c', line], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout?.on('data', (part) => {
      said += part;
    });
    child.stderr?.on('data', (part) => {
      said += part;
    });
    child.on('error', reject);
    child.on('close', () => resolve(said.trim()));
  });
}

/** A fake API that answers PONG and records requests. */
export interface ApiDouble {
  url: string;
  /** The messages of the last request. */
  messages(): { role: string; content: unknown }[];
  close(): void;
}

export async function startApi(): Promise<ApiDouble> {
  let messages: { role: string; content: unknown }[] = [];
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      if (request.method !== 'POST' || !request.url?.includes('/messages') || request.url.includes('count')) {
        response.writeHead(404).end();
        return;
      }
      const body = JSON.parse(Buffer.concat(parts).toString('utf8'));
      messages = body.messages;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of answerEvents(body.model)) {
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, messages: () => messages, close: () => server.close() };
}

function answerEvents(model: string): ({ type: string } & Record<string, unknown>)[] {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    usage,
  };
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'PONG' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ];
}

/** The texts of the conversation in an API request, without the program's additions. */
export function wordsOf(messages: { role: string; content: unknown }[]): string[] {
  return messages.flatMap(({ role, content }) => {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Block[]);
    return blocks
      .filter(({ type, text = '' }) => type === 'text' && !text.includes('<system-reminder>'))
      .map(({ text = '' }) => `${role}: ${text}`);
  });
}

interface Block {
  type: string;
  text?: string;
}
