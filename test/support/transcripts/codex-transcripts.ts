import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Builds transcripts like Codex. Ids are version 7 UUIDs: later ones are greater. */

export interface CodexLine {
  type: string;
  payload: Record<string, unknown>;
}

export const PARENT_ID = '019f0000-0000-7000-8000-000000000001';
export const SESSION_ID = '019f1000-0000-7000-8000-000000000002';
export const CHILD_ID = '019f2000-0000-7000-8000-000000000003';
export const OWN_TURN = '019f1000-0001-7000-8000-00000000000a';
export const CWD = '/home/dev/widgets';

export function codexMeta(id: string, more: Record<string, unknown> = {}): CodexLine {
  return {
    type: 'session_meta',
    payload: {
      id,
      timestamp: '2026-07-01T09:00:00.000Z',
      cwd: CWD,
      originator: 'codex-tui',
      cli_version: '0.142.0',
      source: 'cli',
      model_provider: 'openai',
      base_instructions: { text: 'You are a coding agent.\nBe brief.' },
      git: {
        commit_hash: 'f'.repeat(40),
        branch: 'main',
        repository_url: 'https://me:token@github.com/acme/widgets.git',
      },
      ...more,
    },
  };
}

export function codexTurn(turnId: string): CodexLine[] {
  return [
    event('task_started', { turn_id: turnId, started_at: 1782896400, model_context_window: 258400 }),
    {
      type: 'turn_context',
      payload: { turn_id: turnId, cwd: CWD, approval_policy: 'never', model: 'gpt-5.5' },
    },
  ];
}

/** What Codex sends to the model before the first prompt. */
export function codexInstructions(): CodexLine[] {
  return [
    item('message', {
      role: 'developer',
      content: [
        { type: 'input_text', text: '<permissions instructions>\nAll.\n</permissions instructions>' },
      ],
    }),
    item('message', {
      role: 'user',
      content: [
        {
          type: 'input_text',
          text: `# AGENTS.md instructions for ${CWD}\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>`,
        },
        { type: 'input_text', text: `<environment_context>\n  <cwd>${CWD}</cwd>\n</environment_context>` },
      ],
    }),
  ];
}

export const legacy = {
  user: (text: string): CodexLine[] => [
    item('message', { role: 'user', content: [{ type: 'input_text', text }] }),
    event('user_message', { message: text, images: [], local_images: [], text_elements: [] }),
  ],
  assistant: (text: string): CodexLine[] => [
    event('agent_message', { message: text, phase: 'commentary', memory_citation: null }),
    item('message', { role: 'assistant', content: [{ type: 'output_text', text }] }),
  ],
  call: (name: string, args: unknown, output: unknown = 'ok'): CodexLine[] => [
    item('function_call', { name, arguments: JSON.stringify(args), call_id: 'call_1' }),
    item('function_call_output', { call_id: 'call_1', output }),
  ],
  shell: (cmd: string, output = ''): CodexLine[] =>
    legacy.call('exec_command', { cmd, workdir: CWD }, `Process exited with code 0\nOutput:\n${output}`),
  patch: (patch: string): CodexLine[] => [
    item('custom_tool_call', { status: 'completed', call_id: 'call_2', name: 'apply_patch', input: patch }),
    event('patch_apply_end', { call_id: 'call_2', stdout: 'Success.', success: true, changes: {} }),
    item('custom_tool_call_output', { call_id: 'call_2', output: 'Exit code: 0\nOutput:\nSuccess.' }),
  ],
};

export const paginated = {
  user: (text: string): CodexLine[] => [
    item('message', { id: 'msg_u', role: 'user', content: [{ type: 'input_text', text }] }),
    completed({ type: 'UserMessage', id: 'u1', content: [{ type: 'text', text, text_elements: [] }] }),
  ],
  assistant: (text: string): CodexLine[] => [
    completed({ type: 'AgentMessage', id: 'a1', content: [{ type: 'Text', text }] }),
    item('message', { id: 'a1', role: 'assistant', content: [{ type: 'output_text', text }] }),
  ],
  shell: (cmd: string, output = ''): CodexLine[] => [
    item('function_call', { name: 'exec_command', arguments: JSON.stringify({ cmd }), call_id: 'c1' }),
    completed({
      type: 'CommandExecution',
      id: 'c1',
      command: ['/bin/bash', '-lc', cmd],
      cwd: `file://${CWD}`,
      status: 'completed',
      aggregated_output: output,
      exit_code: 0,
    }),
    item('function_call_output', { call_id: 'c1', output: `Output:\n${output}` }),
  ],
  change: (changes: Record<string, unknown>, status = 'completed'): CodexLine[] => [
    completed({ type: 'FileChange', id: 'f1', changes, status, stdout: '', stderr: '' }),
  ],
  item: completed,
};

/** The lines as JSONL, a second apart, numbered from `firstOrdinal` in paginated mode. */
export function codexText(lines: CodexLine[], firstOrdinal?: number): string {
  const texts = lines.map(({ type, payload }, index) => {
    const timestamp = new Date(Date.UTC(2026, 6, 1, 9) + index * 1000).toISOString();
    const numbered = firstOrdinal === undefined ? {} : { ordinal: firstOrdinal + index };
    return JSON.stringify({ timestamp, ...numbered, type, payload });
  });
  return `${texts.join('\n')}\n`;
}

export function codexPath(home: string, id: string, folder = 'sessions/2026/07/01'): string {
  return join(home, folder, `rollout-2026-07-01T11-00-00-${id}.jsonl`);
}

/** Writes a transcript into a home; returns its path. */
export function writeCodex(home: string, id: string, text: string, folder?: string): string {
  const path = codexPath(home, id, folder);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

export const COMMIT_OUTPUT = '[main abc1234] Add a thing\n 1 file changed, 1 insertion(+)\n';

/** A short session with two prompts, an edit, a test run and a commit. */
export function legacySession(id = SESSION_ID): CodexLine[] {
  return [
    codexMeta(id),
    ...codexTurn(OWN_TURN),
    ...codexInstructions(),
    ...legacy.user('Please add a thing'),
    item('reasoning', { summary: [], encrypted_content: 'x' }),
    ...legacy.assistant('I will add it.'),
    ...legacy.patch('*** Begin Patch\n*** Update File: src/a.ts\n@@\n-1\n+2\n*** End Patch\n'),
    ...legacy.shell('npm test', 'all green'),
    ...legacy.shell('git commit -am "Add a thing"', COMMIT_OUTPUT),
    event('token_count', { info: null }),
    ...legacy.user('Naïve — 日本語 🙂'),
    ...legacy.assistant('Done.'),
    event('task_complete', { turn_id: OWN_TURN, last_agent_message: 'Done.' }),
  ];
}

/** The same session in paginated mode. */
export function paginatedSession(id = SESSION_ID): CodexLine[] {
  return [
    codexMeta(id, { session_id: id, history_mode: 'paginated' }),
    ...codexTurn(OWN_TURN),
    ...codexInstructions(),
    ...paginated.user('Please add a thing'),
    ...paginated.assistant('I will add it.'),
    ...paginated.change({ [`${CWD}/src/a.ts`]: { type: 'update', unified_diff: '', move_path: null } }),
    ...paginated.shell('npm test', 'all green'),
    ...paginated.shell('git commit -am "Add a thing"', COMMIT_OUTPUT),
    ...paginated.user('Naïve — 日本語 🙂'),
    ...paginated.assistant('Done.'),
  ];
}

export function event(type: string, payload: Record<string, unknown>): CodexLine {
  return { type: 'event_msg', payload: { type, ...payload } };
}

export function item(type: string, payload: Record<string, unknown>): CodexLine {
  return { type: 'response_item', payload: { type, ...payload } };
}

function completed(content: Record<string, unknown>): CodexLine {
  return event('item_completed', { thread_id: SESSION_ID, turn_id: OWN_TURN, item: content });
}
