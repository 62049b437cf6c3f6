import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectSlug } from '../../../src/adapters/claude/files/restore-path.ts';

/** A Claude Code session. In each turn the user asks, and the agent calls a tool, gets its result and answers. */
export interface SessionSketch {
  home: string;
  id: string;
  cwd: string;
  /** The user's prompts, one per turn. */
  asks: string[];
  /** The agent's answers; default to the prompts. */
  answers?: string[];
  branch?: string;
  /** File name without `.jsonl`; defaults to the id. */
  name?: string;
  /** Project folder; defaults to that of `cwd`. */
  slug?: string;
  /** Start time. */
  start?: string;
  /** Token usage reported by the last answer. */
  tokens?: number;
  /** The tool call of a turn and its result. */
  call?: { name: string; input: Record<string, unknown>; result: string; isError?: boolean };
}

/** Writes a session to where Claude Code would; returns its path. */
export function writeSession(sketch: SessionSketch): string {
  const { home, cwd, id, name = id, slug = projectSlug(cwd) } = sketch;
  const path = join(home, 'projects', slug, `${name}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    sessionLines(sketch)
      .map((line) => `${line}\n`)
      .join(''),
  );
  const ended = new Date(timeOf(sketch, sketch.asks.length * 4));
  utimesSync(path, ended, ended);
  return path;
}

export function sessionLines(sketch: SessionSketch): string[] {
  const lines: string[] = [];
  let parent: string | null = null;
  let count = 0;
  const add = (type: string, message: unknown, more: Record<string, unknown> = {}) => {
    const uuid = uuidOf(sketch.id, count);
    const { cwd, id, branch = 'main' } = sketch;
    const common = { parentUuid: parent, isSidechain: false, userType: 'external', cwd, sessionId: id };
    const rest = {
      version: '2.1.329',
      gitBranch: branch,
      type,
      message,
      uuid,
      timestamp: timeOf(sketch, count),
    };
    lines.push(JSON.stringify({ ...common, ...rest, ...more }));
    parent = uuid;
    count += 1;
  };
  for (const [turn, ask] of sketch.asks.entries()) {
    const call = sketch.call ?? {
      name: 'Edit',
      input: { file_path: `${sketch.cwd}/src/a.ts` },
      result: 'ok',
    };
    const callId = `toolu_${turn}`;
    add('user', { role: 'user', content: ask });
    add(
      'assistant',
      answer(count, [{ type: 'tool_use', id: callId, name: call.name, input: call.input }], sketch),
    );
    const result = {
      type: 'tool_result',
      tool_use_id: callId,
      content: call.result,
      is_error: call.isError === true,
    };
    add('user', { role: 'user', content: [result] });
    const said = sketch.answers?.[turn] ?? `Done: ${ask}`;
    add('assistant', answer(count, [{ type: 'text', text: said }], sketch));
  }
  return lines;
}

function answer(messageId: number, content: unknown[], { tokens = 1000 }: SessionSketch) {
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: tokens - 30,
    cache_creation_input_tokens: 0,
    output_tokens: 20,
  };
  return {
    id: `msg_${messageId}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-4-6',
    content,
    usage,
  };
}

export function timeOf({ start = '2026-03-01T10:00:00.000Z' }: SessionSketch, count: number): string {
  return new Date(Date.parse(start) + count * 60_000).toISOString();
}

function uuidOf(id: string, count: number): string {
  return `${id.slice(0, 24)}${String(count).padStart(12, '0')}`;
}

export function sessionId(number: number): string {
  return `${String(number).padStart(8, '0')}-aaaa-4bbb-8ccc-dddddddddddd`;
}
