import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Agent } from '../../../src/domain/agent/agents.ts';
import { SmartForkError } from '../../../src/domain/errors.ts';
import { toolLine } from '../../../src/domain/session/tool-line.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import { nodeCrypto } from '../../../src/domain/text/hash.ts';
import type { TranscriptFile, TranscriptSource } from '../../../src/ports/transcript-source.ts';
import { notebookIn, readNotebook, type ToyMessage, type ToySession } from './notebook.ts';

const TOY = 'toy' as Agent;
/** Files with the bytes of one session, outside the agent's folder. */
const COPY = '.toy-session';
const PART_BYTES = 1024 * 1024;

/**
 * An agent that is unlike the others: all its sessions are in one JSON document, a position is a number of messages, and no command
 * continues a session. Its bytes are a line about the session and a line for each message.
 */
export function createToySource({ homes }: { homes: string[] }): TranscriptSource {
  const inspect = (path: string) => {
    const session = sessionAt(path);
    return session === null ? null : fileOf(path, session);
  };
  return {
    agent: TOY,
    roots: homes,
    find: (onProblem) =>
      homes.map(notebookIn).flatMap((path) => {
        if (!existsSync(path)) return [];
        try {
          return readNotebook(path).sessions.map((session) => fileOf(`${path}#${session.id}`, session));
        } catch (error) {
          onProblem?.(path, String(error));
          return [];
        }
      }),
    inspect,
    locate: (id) => homes.map((home) => `${notebookIn(home)}#${id}`).find((path) => sessionAt(path)) ?? null,
    head({ path }) {
      const { folder, messages } = opened(path);
      return { fingerprint: messages[0]?.id ?? null, workingDirectory: folder };
    },
    read(path, { from, linesBefore, inheritedBytes, isEnough }, onEvent) {
      const session = opened(path);
      if (session.title !== undefined)
        onEvent({ kind: 'title', source: 'custom', text: session.title }, 0, linesBefore);
      let end = from;
      const skipped = [];
      for (const message of session.messages.slice(from)) {
        const line = linesBefore + end - from + 1;
        if (typeof message.text !== 'string') skipped.push({ line, reason: 'no such shape' as const });
        else for (const event of eventsOf(session, message, end < inheritedBytes)) onEvent(event, end, line);
        end += 1;
        if (isEnough?.()) break;
      }
      return { end, bytes: bytesOf(session, end).length, lines: end - from, skipped };
    },
    readSteps(path, { from, to }, onStep) {
      const { messages } = opened(path);
      for (const [at, { role, text, runs = [] }] of messages.entries()) {
        if (at < from || at >= to || role === 'user') continue;
        for (const input of runs) {
          const summary = toolLine('Bash', input, 'text');
          onStep({ kind: 'call', id: null, name: 'Bash', summary, input, edits: [] }, at);
        }
        onStep({ kind: 'text', text }, at);
      }
    },
    findInheritance({ path }) {
      const { parent } = opened(path);
      return parent === undefined ? null : { parentId: parent.id, inheritedBytes: parent.copied };
    },
    digest: (path, end) =>
      partsOf(bytesOf(opened(path), end)).map((part) =>
        nodeCrypto().createHash('sha256').update(part).digest('hex'),
      ),
    bytes: {
      parts: (path, from) => partsOf(bytesOf(opened(path))).slice(from),
      copyName: (sessionId) => `${sessionId}${COPY}`,
    },
  };
}

function* eventsOf(session: ToySession, message: ToyMessage, inherited: boolean): Generator<TranscriptEvent> {
  const { id: uuid, at: timestamp, role, text, edits = [], runs = [], commit } = message;
  const said = { kind: 'message', timestamp, uuid, inherited } as const;
  yield { kind: 'context', cwd: session.folder, timestamp };
  for (const path of edits) {
    yield { ...said, role: 'tool', text: toolLine('Edit', path, 'path') };
    yield { kind: 'file', path, inherited };
  }
  for (const command of runs) yield { ...said, role: 'tool', text: toolLine('Bash', command, 'text') };
  if (commit !== undefined) yield { kind: 'commit', commit, inherited };
  yield { ...said, role, text };
}

function fileOf(path: string, session: ToySession): TranscriptFile {
  return {
    agent: TOY,
    path,
    sessionId: session.id,
    size: bytesOf(session).length,
    mtimeMs: Date.parse(session.messages.at(-1)?.at ?? '') || 0,
    inode: 0,
    revision: String(session.revision),
    name: session.title,
  };
}

function opened(path: string): ToySession {
  const session = sessionAt(path);
  if (session !== null) return session;
  throw new SmartForkError('TRANSCRIPT_UNREADABLE', `no toy session at ${path}`);
}

function sessionAt(path: string): ToySession | null {
  if (path.endsWith(COPY)) return existsSync(path) ? copiedSession(path) : null;
  const [, file = '', id] = /^(.*)#([\w-]+)$/.exec(path) ?? [];
  if (basename(file) !== basename(notebookIn(dirname(file))) || !existsSync(file)) return null;
  return readNotebook(file).sessions.find((session) => session.id === id) ?? null;
}

function copiedSession(path: string): ToySession {
  const [head = '{}', ...messages] = readFileSync(path, 'utf8').trimEnd().split('\n');
  return { revision: 0, ...JSON.parse(head), messages: messages.map((line) => JSON.parse(line)) };
}

function bytesOf({ id, folder, parent, messages }: ToySession, end = messages.length): Buffer {
  if (end === 0) return Buffer.alloc(0);
  const lines = [{ id, folder, parent }, ...messages.slice(0, end)].map(
    (line) => `${JSON.stringify(line)}\n`,
  );
  return Buffer.from(lines.join(''));
}

function partsOf(bytes: Buffer): Buffer[] {
  const count = Math.ceil(bytes.length / PART_BYTES);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * PART_BYTES, (at + 1) * PART_BYTES));
}
