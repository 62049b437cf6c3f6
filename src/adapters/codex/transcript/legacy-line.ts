import {
  commandText,
  type LineContext,
  tellCall,
  tellCommand,
  tellCommits,
  tellMessage,
  tellPatch,
  tellPath,
  tellTool,
} from './calls.ts';
import { cleanUserText } from './clean-text.ts';
import { patchedFiles, resolvePath } from './patch.ts';
import { asList, asRecord, asText, parseJson } from './read-value.ts';

/** Tells the events of an `event_msg` in a line without an ordinal; false when it has not the shape it should have. */
export function tellLegacyEvent(payload: Record<string, unknown>, context: LineContext): boolean {
  if (payload.type === 'item_completed') return tellPlan(payload, context);
  if (payload.type !== 'user_message' && payload.type !== 'agent_message') return true;
  const text = asText(payload.message);
  if (text === null) return false;
  if (payload.type === 'user_message') tellMessage('user', cleanUserText(text), null, context);
  else tellMessage('assistant', text.trim(), null, context);
  return true;
}

/** The same for a `response_item`. */
export function tellLegacyItem(payload: Record<string, unknown>, context: LineContext): boolean {
  switch (payload.type) {
    case 'function_call':
      return tellFunctionCall(payload, context);
    case 'custom_tool_call':
      return tellCustomCall(payload, context);
    case 'local_shell_call': {
      const action = asRecord(payload.action);
      tellShell(action, asText(payload.call_id), context);
      return action !== null;
    }
    case 'web_search_call':
      tellCall('WebSearch', asText(asRecord(payload.action)?.query) ?? '', asText(payload.id), context);
      return true;
    case 'function_call_output':
    case 'custom_tool_call_output':
      tellCommits(outputText(payload.output), context);
      return true;
    default:
      return true;
  }
}

/** In plan mode the plan itself is the answer; the message that announces it leaves it out. */
function tellPlan(payload: Record<string, unknown>, context: LineContext): boolean {
  const item = asRecord(payload.item);
  if (item?.type === 'Plan') {
    tellMessage('assistant', asText(item.text)?.trim() ?? '', asText(item.id), context);
  }
  return item !== null;
}

function tellFunctionCall(payload: Record<string, unknown>, context: LineContext): boolean {
  const name = asText(payload.name);
  const args = asRecord(parseJson(asText(payload.arguments) ?? ''));
  const uuid = asText(payload.call_id);
  if (name === null) return false;
  if (SHELLS.has(name)) tellShell(args, uuid, context);
  else if (name === 'apply_patch')
    tellPatchText(asText(args?.input) ?? asText(args?.patch) ?? '', uuid, context);
  else if (name === 'view_image')
    tellPath('Read', resolvePath(asText(args?.path) ?? '', context.cwd), uuid, context);
  else if (name === 'spawn_agent') tellCall('Agent', asText(args?.message) ?? '', uuid, context);
  else if (!SILENT.has(name)) tellTool(toolName(asText(payload.namespace), name), args, uuid, context);
  return true;
}

function tellCustomCall(payload: Record<string, unknown>, context: LineContext): boolean {
  const name = asText(payload.name);
  const input = asText(payload.input);
  if (name === null || input === null) return false;
  const uuid = asText(payload.call_id);
  if (name === 'apply_patch') tellPatchText(input, uuid, context);
  else tellCall(name, input, uuid, context);
  return true;
}

function tellShell(args: Record<string, unknown> | null, uuid: string | null, context: LineContext): void {
  const workdir = asText(args?.workdir) ?? asText(args?.working_directory);
  const folder = workdir === null ? context.cwd : resolvePath(workdir, context.cwd);
  tellCommand(commandText(args?.cmd ?? args?.command), folder, uuid, context);
}

function tellPatchText(patch: string, uuid: string | null, context: LineContext): void {
  tellPatch(patchedFiles(patch), context.cwd, uuid, context);
}

function toolName(namespace: string | null, name: string): string {
  if (namespace === null) return name;
  return `${namespace}__${name.replace(/^_+/, '')}`;
}

/** Text of an output: a string, `{ content }` or a list of parts. */
function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  const parts = Array.isArray(output) ? output : asList(asRecord(output)?.content_items);
  const texts = parts.map((part) => asText(asRecord(part)?.text) ?? '');
  return asText(asRecord(output)?.content) ?? texts.join('\n');
}

const SHELLS = new Set(['exec_command', 'shell', 'shell_command', 'local_shell', 'container.exec']);
/** Calls that only wait, poll or keep a list: nothing to find a session by. */
const SILENT = new Set(['write_stdin', 'update_plan', 'wait', 'wait_agent', 'close_agent']);
