import { asCount, asList, asRecord, asText, parseJson } from '../jsonl/read-value.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { Row } from '../records/row-format.ts';
import { orMarks } from '../records/text-of.ts';
import { callId, kindOf } from './shown-rows.ts';

/** Tells what a message of the extension's window says; false if it says nothing of what it is. */
export function tellShown(row: Row, sink: RecordSink): boolean {
  const kind = kindOf(row);
  const text = withoutMark(kind, asText(row.text) ?? '');
  const uuid = String(row.ts);
  if (kind === null) return false;
  const model = asText(asRecord(row.modelInfo)?.modelId);
  if (model !== null) sink.noted({ kind: 'context', model });
  sink.thought?.(asText(row.reasoning));
  if (row.isFirst === true || USERS.has(kind))
    sink.said({ role: 'user', text: orMarks(wordsOf(text), imagesOf(row)), uuid });
  else if (AGENTS_WORDS.has(kind))
    sink.said({ role: 'assistant', text: question(text), uuid, closes: kind.endsWith('completion_result') });
  else if (kind === 'reasoning') sink.thought?.(text);
  else if (kind === 'command' && text !== '')
    sink.called({ id: callId(row), tool: 'bash', input: { command: text } });
  else if (kind === 'command_output') {
    const call = asText(row.call);
    if (call !== null) sink.resulted({ id: call, output: text, failed: false, images: [] });
  } else if (kind === 'tool' || kind === 'use_mcp_server') tellTool(text, sink);
  else if (kind === 'condense_context') sink.compacted(asText(asRecord(row.contextCondense)?.summary));
  return true;
}

const USERS = new Set(['task', 'user_feedback']);
const AGENTS_WORDS = new Set([
  ...[
    'text',
    'completion_result',
    'plan_completion_result',
    'followup',
    'plan_mode_respond',
    'act_mode_respond',
    'new_task',
  ],
]);

/** Sent with a prompt, as addresses of data. */
function imagesOf({ images }: Row) {
  return asList(images).map(() => ({ type: 'image' }));
}

/** For its window, Cline notes in the text that a command needs approval, and that a result has changes. */
function withoutMark(kind: string | null, text: string): string {
  const mark = kind === 'command' ? 'REQ_APP' : kind === 'completion_result' ? 'HAS_CHANGES' : '';
  return mark !== '' && text.endsWith(mark) ? text.slice(0, -mark.length) : text;
}

/** Cline sends a task in `<task>`. */
function wordsOf(text: string): string {
  return /^<task>\n?([\s\S]*?)\n?<\/task>/.exec(text)?.[1] ?? text;
}

function question(text: string): string {
  const asked = text.startsWith('{') ? asRecord(parseJson(text)) : null;
  return asText(asked?.question) ?? asText(asked?.response) ?? text;
}

function tellTool(text: string, sink: RecordSink): void {
  const said = asRecord(parseJson(text));
  const tool = asText(said?.tool) ?? asText(said?.toolName);
  if (said === null || tool === null) return;
  const path = asText(said.path);
  const content = asText(said.diff) ?? asText(said.content) ?? '';
  if (path !== null && EDITS.has(tool))
    sink.called({ id: null, tool, input: { path, ...editOf(tool, content) } });
  else if (path !== null && tool === 'readFile') sink.called({ id: null, tool: 'read', input: { path } });
  else sink.called({ id: null, tool, input: inputOf(said) });
}

const EDITS = new Set([
  'editedExistingFile',
  'appliedDiff',
  'newFileCreated',
  'insertContent',
  'searchAndReplace',
]);

/** A new file's content, or what a diff or blocks to search and replace take away and add. */
function editOf(tool: string, content: string): Row {
  if (tool === 'newFileCreated') return { content };
  const [removed, added]: [string[], string[]] = [[], []];
  let side: string[] | null = null;
  for (const line of content.split('\n')) {
    if (/^(?:<{5,}|-{5,}) SEARCH/.test(line)) side = removed;
    else if (side !== null && /^={5,}$/.test(line)) side = added;
    else if (/^(?:>{5,}|\+{5,}) REPLACE/.test(line)) side = null;
    else if (side !== null) side.push(line);
    else if (/^-(?!--)/.test(line)) removed.push(line.slice(1));
    else if (/^\+(?!\+\+)/.test(line)) added.push(line.slice(1));
  }
  return { oldText: removed.join('\n'), newText: added.join('\n') };
}

function inputOf(said: Row): Row {
  const given = asRecord(parseJson(asText(said.arguments) ?? ''));
  if (given !== null) return given;
  const { path, regex, query, mode, content } = said;
  return { pattern: regex, query, path, name: mode, description: content };
}

/** Of a request that the extension made. */
export function usageOfShown(row: Row) {
  const used = kindOf(row) === 'api_req_started' ? asRecord(parseJson(asText(row.text) ?? '')) : null;
  if (used === null) return null;
  const tokens = {
    input: asCount(used.tokensIn),
    output: asCount(used.tokensOut),
    cacheRead: asCount(used.cacheReads),
    cacheWrite: asCount(used.cacheWrites),
  };
  return { id: callId(row), model: asText(asRecord(row.modelInfo)?.modelId), tokens };
}

/** Of the kinds that the extensions up to Cline 4.1 and Roo Code 3.54 write. */
export function isShownKind(row: Row): boolean {
  return SHOWN.has(kindOf(row) ?? '');
}

const SHOWN = new Set(
  [
    ...USERS,
    ...AGENTS_WORDS,
    'act_mode_respond new_task condense summarize_task report_bug use_subagents subagent subagent_usage task_progress',
    'command command_output tool use_mcp_server user_feedback_diff user_edit_todos reasoning image info error error_retry',
    'api_req_started api_req_finished api_req_failed api_req_retried api_req_retry_delayed api_req_rate_limited',
    'api_req_deleted deleted_api_reqs resume_task resume_completed_task mistake_limit_reached auto_approval_max_req_reached',
    'browser_action_launch browser_action browser_action_result browser_session_status inspect_site_result',
    'mcp_server_request_started mcp_server_response mcp_notification load_mcp_documentation generate_explanation',
    'shell_integration_warning shell_integration_warning_with_suggestion command_permission_denied diff_error',
    'clineignore_error rooignore_error checkpoint_created checkpoint_saved subtask_result codebase_search_result',
    'condense_context condense_context_error sliding_window_truncation conditional_rules_applied too_many_tools_warning',
    'hook_status hook_output_stream',
  ].flatMap((kinds) => kinds.split(' ')),
);
