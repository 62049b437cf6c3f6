import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The same short session in the formats of agents that write a record a line. */

export const ORIGIN = '5e551000-0000-4000-8000-000000000001';
export const FORK = '5e551000-0000-4000-8000-000000000002';
export const FOLDER = '/home/dev/widgets';
const COMMIT_OUTPUT = '[main abc1234] Add a thing\n 1 file changed, 1 insertion(+)\n';

export function timeAt(minute: number): string {
  return new Date(Date.UTC(2026, 6, 1, 9, minute)).toISOString();
}

export function writeRows(path: string, rows: object[]): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return path;
}

export function piHead(id: string, more: object = {}): object {
  return { type: 'session', version: 3, id, timestamp: timeAt(0), cwd: FOLDER, ...more };
}

export function piEntry(minute: number, message: object): object {
  const id = `e${String(minute).padStart(7, '0')}`;
  return { type: 'message', id, timestamp: timeAt(minute), message };
}

export function piUser(text: string): object {
  return { role: 'user', content: [{ type: 'text', text }] };
}

export function piAnswer(text: string, calls: object[] = [], more: object = {}): object {
  const usage = { input: 10, output: 5, cacheRead: 100, cacheWrite: 0 };
  return {
    role: 'assistant',
    content: [{ type: 'text', text }, ...calls],
    model: 'some-model',
    usage,
    stopReason: calls.length > 0 ? 'toolUse' : 'stop',
    ...more,
  };
}

function piCall(id: string, name: string, args: object): object {
  return { type: 'toolCall', id, name, arguments: args };
}

function piResult(toolCallId: string, text: string): object {
  return { role: 'toolResult', toolCallId, content: [{ type: 'text', text }], isError: false };
}

export function piSession(): object[] {
  const calls = [
    piCall('c1', 'edit', { path: `${FOLDER}/src/a.ts`, oldText: 'a', newText: 'b' }),
    piCall('c2', 'bash', { command: 'npm test' }),
    piCall('c3', 'bash', { command: 'git commit -am "Add a thing"' }),
  ];
  return [
    piEntry(1, piUser('Please add a thing')),
    piEntry(2, piAnswer('I will add it.', calls)),
    piEntry(3, piResult('c1', 'ok')),
    piEntry(4, piResult('c2', '3 passed')),
    piEntry(5, piResult('c3', COMMIT_OUTPUT)),
    piEntry(6, piUser('Naïve — 日本語 🙂')),
    piEntry(7, piAnswer('Done.')),
  ];
}

function qwenRow(minute: number, type: string, more: object): object {
  const shared = {
    sessionId: ORIGIN,
    timestamp: timeAt(minute),
    cwd: FOLDER,
    version: '0.24.4',
    gitBranch: 'main',
  };
  return { uuid: `u${minute}`, parentUuid: minute === 1 ? null : `u${minute - 1}`, type, ...shared, ...more };
}

function qwenUser(minute: number, text: string): object {
  return qwenRow(minute, 'user', { message: { role: 'user', parts: [{ text }] } });
}

export function qwenSession(): object[] {
  const call = (id: string, name: string, args: object) => ({ functionCall: { id, name, args } });
  const parts = [
    { text: 'A thought.', thought: true },
    { text: 'I will add it.' },
    call('c1', 'edit', { file_path: `${FOLDER}/src/a.ts`, old_string: 'a', new_string: 'b' }),
    call('c2', 'run_shell_command', { command: 'npm test' }),
  ];
  const usageMetadata = {
    promptTokenCount: 110,
    cachedContentTokenCount: 100,
    candidatesTokenCount: 5,
    totalTokenCount: 115,
  };
  const output = {
    functionResponse: { id: 'c2', name: 'run_shell_command', response: { output: COMMIT_OUTPUT } },
  };
  return [
    qwenUser(1, 'Please add a thing'),
    qwenRow(2, 'assistant', { model: 'some-model', usageMetadata, message: { role: 'model', parts } }),
    qwenRow(3, 'tool_result', { message: { role: 'user', parts: [output] } }),
    qwenUser(4, 'Naïve — 日本語 🙂'),
    qwenRow(5, 'assistant', { model: 'some-model', message: { role: 'model', parts: [{ text: 'Done.' }] } }),
  ];
}

function copilotRow(minute: number, type: string, data: object): object {
  return {
    type,
    data,
    id: `v${minute}`,
    timestamp: timeAt(minute),
    parentId: minute === 0 ? null : `v${minute - 1}`,
  };
}

export function copilotSession(): object[] {
  const toolRequests = [
    { toolCallId: 'c1', name: 'edit', arguments: { path: `${FOLDER}/src/a.ts`, old_str: 'a', new_str: 'b' } },
    { toolCallId: 'c2', name: 'bash', arguments: { command: 'npm test' } },
  ];
  return [
    copilotRow(0, 'session.start', {
      sessionId: ORIGIN,
      producer: 'copilot-agent',
      copilotVersion: '1.0.102',
      context: { cwd: FOLDER },
    }),
    copilotRow(1, 'user.message', {
      content: 'Please add a thing',
      transformedContent: '<now/>Please add a thing',
    }),
    copilotRow(2, 'assistant.message', { messageId: 'm1', content: 'I will add it.', toolRequests }),
    copilotRow(3, 'tool.execution_start', {
      toolCallId: 'c2',
      toolName: 'bash',
      arguments: { command: 'npm test' },
    }),
    copilotRow(4, 'tool.execution_complete', {
      toolCallId: 'c2',
      success: true,
      result: { content: COMMIT_OUTPUT },
    }),
    copilotRow(5, 'assistant.message', {
      messageId: 'm2',
      content: 'A helper says so.',
      parentToolCallId: 'c2',
    }),
    copilotRow(6, 'user.message', { content: 'Naïve — 日本語 🙂' }),
    copilotRow(7, 'assistant.message', { messageId: 'm3', content: 'Done.', toolRequests: [] }),
  ];
}

export function geminiHead(id: string, more: object = {}): object {
  return {
    sessionId: id,
    projectHash: 'a1b2',
    startTime: timeAt(0),
    lastUpdated: timeAt(9),
    kind: 'main',
    ...more,
  };
}

export function geminiSession(): object[] {
  const call = (id: string, name: string, args: object, output: string) => {
    const result = [{ functionResponse: { id, name, response: { output } } }];
    return { id, name, args, result, status: 'success', timestamp: timeAt(2) };
  };
  const toolCalls = [
    call('c1', 'replace', { file_path: `${FOLDER}/src/a.ts`, old_string: 'a', new_string: 'b' }, 'ok'),
    call('c2', 'run_shell_command', { command: 'npm test' }, `Output: ${COMMIT_OUTPUT}`),
  ];
  const tokens = { input: 110, output: 5, cached: 100, thoughts: 0, total: 115 };
  const said = (minute: number, type: string, text: string, more: object = {}) => {
    const content = type === 'user' ? [{ text }] : text;
    return { id: `g${minute}`, timestamp: timeAt(minute), type, content, ...more };
  };
  const context = `<session_context>\nThe project.\n- **Workspace Directories:**\n  - ${FOLDER}\n</session_context>`;
  return [
    said(0, 'user', context),
    said(1, 'user', 'Please add a thing'),
    said(2, 'gemini', 'I will add it.', { model: 'some-model', tokens, toolCalls }),
    said(4, 'user', 'Naïve — 日本語 🙂'),
    said(5, 'gemini', 'Done.', { model: 'some-model' }),
  ];
}

export function cursorSession(): object[] {
  const said = (role: string, ...content: object[]) => ({ role, message: { content } });
  const prompt = (minute: number, text: string) =>
    said('user', {
      type: 'text',
      text: `<timestamp>Wednesday, Jul 1, 2026, 11:0${minute} AM (UTC+2)</timestamp>\n<user_query>\n${text}\n</user_query>`,
    });
  const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
  const shell = { command: 'npm test', working_directory: FOLDER };
  return [
    prompt(1, 'Please add a thing'),
    said(
      'assistant',
      { type: 'text', text: 'I will add it.' },
      call('c1', 'StrReplace', { path: `${FOLDER}/src/a.ts`, old_string: 'a', new_string: 'b' }),
      call('c2', 'Shell', shell),
    ),
    said('user', {
      type: 'tool_result',
      tool_use_id: 'c2',
      content: [{ type: 'text', text: COMMIT_OUTPUT }],
    }),
    prompt(4, 'Naïve — 日本語 🙂'),
    said('assistant', { type: 'thinking', thinking: 'Short.' }, { type: 'text', text: 'Done.' }),
    { type: 'turn_ended', status: 'success' },
  ];
}

/** A chat of VS Code as one document; `logOf` writes it as a log. */
export function vscodeChat(): { requests: object[] } & Record<string, unknown> {
  const folder = { $mid: 1, scheme: 'file', path: FOLDER };
  const text = (value: string) => ({ value, supportThemeIcons: false });
  const edit = { filePath: `${FOLDER}/src/a.ts`, oldString: 'a', newString: 'b' };
  const toolCalls = [
    { id: 'c1__vscode-1', name: 'replace_string_in_file', arguments: JSON.stringify(edit) },
    { id: 'c2__vscode-2', name: 'run_in_terminal', arguments: '{"command":"npm test"}' },
  ];
  const tool = (toolCallId: string, toolId: string, more: object) => ({
    kind: 'toolInvocationSerialized',
    toolCallId,
    toolId,
    invocationMessage: text('Using a tool'),
    isComplete: true,
    ...more,
  });
  const terminal = {
    kind: 'terminal',
    commandLine: { original: 'npm test' },
    cwd: folder,
    terminalCommandOutput: { text: COMMIT_OUTPUT },
    terminalCommandState: { exitCode: 0 },
  };
  const request = (minute: number, prompt: string, response: object[], more: object = {}) => ({
    requestId: `request_${minute}`,
    responseId: `response_${minute}`,
    message: { text: prompt, parts: [{ kind: 'text', text: prompt }] },
    timestamp: Date.parse(timeAt(minute)),
    modelId: 'copilot/some-model',
    modelState: { value: 1, completedAt: Date.parse(timeAt(minute + 1)) },
    response,
    ...more,
  });
  return {
    version: 3,
    responderUsername: 'GitHub Copilot',
    sessionId: ORIGIN,
    creationDate: Date.parse(timeAt(0)),
    requests: [
      request(
        1,
        'Please add a thing',
        [
          { kind: 'thinking', value: 'A thought.' },
          text('I will '),
          text('add it.'),
          tool('c1', 'copilot_replaceString', {}),
          {
            kind: 'textEditGroup',
            uri: { ...folder, path: `${FOLDER}/src/a.ts` },
            edits: [[{ text: 'b' }]],
            done: true,
          },
          tool('c2', 'run_in_terminal', { toolSpecificData: terminal }),
        ],
        { result: { metadata: { toolCallRounds: [{ response: '', toolCalls }] } } },
      ),
      request(4, 'Naïve — 日本語 🙂', [text('Done.')]),
    ],
  };
}

/** The log of a chat whose second request came later, and whose answer came in two parts. */
export function logOf({ requests, ...chat }: ReturnType<typeof vscodeChat>): object[] {
  const [first, second] = requests as { response: object[] }[];
  return [
    { kind: 0, v: { ...chat, requests: [{ ...first, response: first?.response.slice(0, 1) }] } },
    { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'Not this.' }] },
    { kind: 2, k: ['requests', 0, 'response'], v: first?.response.slice(1), i: 1 },
    { kind: 1, k: ['hasPendingEdits'], v: true },
    { kind: 2, k: ['requests'], v: [second] },
    { kind: 3, k: ['hasPendingEdits'] },
  ];
}

/** A task as the windows of Cline and Roo Code show it. */
export function shownTask(): object[] {
  const say = (minute: number, kind: string, text: string, more: object = {}) => ({
    ts: Date.parse(timeAt(minute)),
    type: 'say',
    say: kind,
    text,
    ...more,
  });
  const ask = (minute: number, kind: string, text: string) => ({
    ts: Date.parse(timeAt(minute)),
    type: 'ask',
    ask: kind,
    text,
  });
  const request = {
    request: `<task>Please add a thing</task>\n# Current Working Directory (${FOLDER}) Files\nsrc/`,
    tokensIn: 10,
    tokensOut: 5,
    cacheWrites: 0,
    cacheReads: 100,
    cost: 0.01,
  };
  const diff = '------- SEARCH\na\n=======\nb\n+++++++ REPLACE';
  return [
    say(1, 'text', 'Please add a thing'),
    say(1, 'api_req_started', JSON.stringify(request), { modelInfo: { modelId: 'some-model' } }),
    say(2, 'reasoning', 'A thought.'),
    say(2, 'text', 'I will add it.'),
    ask(2, 'tool', JSON.stringify({ tool: 'editedExistingFile', path: 'src/a.ts', diff })),
    ask(3, 'command', 'npm test'),
    say(3, 'command_output', COMMIT_OUTPUT),
    say(3, 'command_output', '3 passed'),
    say(4, 'user_feedback', 'Naïve — 日本語 🙂'),
    say(5, 'completion_result', 'Done.'),
    ask(5, 'completion_result', ''),
  ];
}

/** A session of Cline's own program. */
export function clineSession(id: string, messages: object[] = clineMessages()): object {
  return {
    version: 1,
    updated_at: timeAt(9),
    agent: 'lead',
    sessionId: id,
    origin: { source: 'cli', mode: 'user', sessionId: id, version: '3.0.65' },
    messages,
    system_prompt: `You are Cline.\n<env>\n4. Working Directory: ${FOLDER}\n</env>`,
  };
}

export function clineMessages(): object[] {
  const said = (minute: number, role: string, content: object[], more: object = {}) => ({
    id: `m${minute}`,
    role,
    content,
    ts: Date.parse(timeAt(minute)),
    ...more,
  });
  const prompt = (minute: number, text: string) =>
    said(minute, 'user', [{ type: 'text', text: `<user_input mode="act">${text}</user_input>` }]);
  const modelInfo = { id: 'some-model', provider: 'some-provider' };
  const metrics = { inputTokens: 110, outputTokens: 5, cacheReadTokens: 100, cacheWriteTokens: 0 };
  const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
  const result = { query: 'npm test', result: COMMIT_OUTPUT, success: true };
  return [
    prompt(1, 'Please add a thing'),
    said(
      2,
      'assistant',
      [
        { type: 'text', text: 'I will add it.' },
        call('c1', 'editor', { path: `${FOLDER}/src/a.ts`, old_text: 'a', new_text: 'b' }),
        call('c2', 'run_commands', { commands: ['npm test'] }),
      ],
      { modelInfo, metrics },
    ),
    said(3, 'user', [
      { type: 'tool_result', tool_use_id: 'c1', name: 'editor', content: '{"result":"ok","success":true}' },
      { type: 'tool_result', tool_use_id: 'c2', name: 'run_commands', content: [result] },
    ]),
    prompt(4, 'Naïve — 日本語 🙂'),
    said(5, 'assistant', [{ type: 'text', text: 'Done.' }], { modelInfo }),
  ];
}

/** The messages of a session as Goose writes them, a line each before it had a database. */
export function gooseMessages(): {
  id: string;
  role: string;
  created: number;
  content: object[];
  metadata: object;
}[] {
  const said = (minute: number, role: string, ...content: object[]) => ({
    id: `msg_${minute}`,
    role,
    created: Date.parse(timeAt(minute)) / 1000,
    content,
    metadata: { userVisible: true, agentVisible: true },
  });
  const text = (words: string) => ({ type: 'text', text: words });
  const call = (id: string, name: string, args: object) => ({
    type: 'toolRequest',
    id,
    toolCall: { status: 'success', value: { name, arguments: args } },
  });
  const edit = { command: 'str_replace', path: `${FOLDER}/src/a.ts`, old_str: 'a', new_str: 'b' };
  const value = { content: [text(COMMIT_OUTPUT)], isError: false };
  return [
    said(1, 'user', text('Please add a thing')),
    said(
      2,
      'assistant',
      { type: 'thinking', thinking: 'A thought.', signature: '' },
      text('I will add it.'),
      call('c1', 'developer__text_editor', edit),
      call('c2', 'developer__shell', { command: 'npm test' }),
    ),
    said(3, 'user', { type: 'toolResponse', id: 'c2', toolResult: { status: 'success', value } }),
    said(4, 'user', text('Naïve — 日本語 🙂')),
    said(5, 'assistant', text('Done.')),
  ];
}

export function gooseHead(): object {
  return { working_dir: FOLDER, description: 'Widget work', message_count: 5, total_tokens: 12 };
}
