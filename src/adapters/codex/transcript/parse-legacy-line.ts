import { asList, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
import {
  commandText,
  emitAnswer,
  emitCall,
  emitCommand,
  emitCommits,
  emitPatch,
  emitPath,
  emitPlan,
  emitPrompt,
  emitPullRequest,
  emitTool,
  imageMarks,
  type LineContext,
} from '../calls/emit-call.ts';
import { emitAnswers, emitLists } from '../calls/emit-lists.ts';
import { emitResult, outputText } from '../calls/emit-result.ts';
import { patchedFiles, resolvePath } from '../calls/patched-files.ts';
import { countImages, itemText } from './bare-lines.ts';
import { cleanUserText } from './clean-text.ts';

/** Emits the events of an `event_msg` without an ordinal; false if it does not have the shape of its type. */
export function parseLegacyEvent(payload: Record<string, unknown>, context: LineContext): boolean {
  if (payload.type === 'item_completed') return parsePlan(payload, context);
  if (payload.type !== 'user_message' && payload.type !== 'agent_message') return true;
  const text = asText(payload.message);
  if (text === null) return false;
  if (payload.type === 'user_message') {
    const images = asList(payload.images).concat(asList(payload.local_images)).length;
    emitPrompt(cleanUserText(text) || imageMarks(images), null, context);
  } else emitAnswer(text, payload.phase, null, context);
  return true;
}

/** The same for a `response_item`. */
export function parseLegacyItem(payload: Record<string, unknown>, context: LineContext): boolean {
  switch (payload.type) {
    case 'message':
      if (context.isBare) parseBareMessage(payload, context);
      return true;
    case 'function_call':
      return parseFunctionCall(payload, context);
    case 'custom_tool_call':
      return parseCustomCall(payload, context);
    case 'local_shell_call': {
      const action = asRecord(payload.action);
      emitShell(action, asText(payload.call_id), context);
      return action !== null;
    }
    case 'web_search_call':
      emitCall('WebSearch', asText(asRecord(payload.action)?.query) ?? '', asText(payload.id), context);
      return true;
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const [call, output] = [asText(payload.call_id), outputText(payload.output)];
      emitCommits(output, call, context);
      emitResult(call, output, context);
      emitAnswers(call, output, context);
      emitPullRequest(output, context);
      return true;
    }
    default:
      return true;
  }
}

/** A message of a transcript without events. */
export function parseBareMessage(payload: Record<string, unknown>, context: LineContext): void {
  const text = itemText(payload.content);
  const id = asText(payload.id);
  if (payload.role === 'user')
    emitPrompt(cleanUserText(text) || imageMarks(countImages(payload.content)), id, context);
  else if (payload.role === 'assistant') emitAnswer(text, payload.phase, id, context);
}

function parsePlan(payload: Record<string, unknown>, context: LineContext): boolean {
  const item = asRecord(payload.item);
  if (item?.type === 'Plan') emitPlan(asText(item.text) ?? '', asText(item.id), context);
  return item !== null;
}

function parseFunctionCall(payload: Record<string, unknown>, context: LineContext): boolean {
  const name = asText(payload.name);
  const args = asRecord(parseJson(asText(payload.arguments) ?? ''));
  const uuid = asText(payload.call_id);
  if (name === null) return false;
  emitLists(name, uuid, args, context);
  if (SHELLS.has(name)) emitShell(args, uuid, context);
  else if (name === 'apply_patch')
    emitPatchText(asText(args?.input) ?? asText(args?.patch) ?? '', uuid, context);
  else if (name === 'view_image')
    emitPath('Read', resolvePath(asText(args?.path) ?? '', context.cwd), uuid, context);
  else if (name === 'spawn_agent') emitCall('Agent', asText(args?.message) ?? '', uuid, context);
  else if (!SILENT.has(name)) emitTool(toolName(asText(payload.namespace), name), args, uuid, context);
  return true;
}

function parseCustomCall(payload: Record<string, unknown>, context: LineContext): boolean {
  const name = asText(payload.name);
  const input = asText(payload.input);
  if (name === null || input === null) return false;
  const uuid = asText(payload.call_id);
  if (name === 'apply_patch') emitPatchText(input, uuid, context);
  else emitCall(name, input, uuid, context);
  return true;
}

function emitShell(args: Record<string, unknown> | null, uuid: string | null, context: LineContext): void {
  const workdir = asText(args?.workdir) ?? asText(args?.working_directory);
  const folder = workdir === null ? context.cwd : resolvePath(workdir, context.cwd);
  emitCommand(commandText(args?.cmd ?? args?.command), folder, uuid, context);
}

function emitPatchText(patch: string, uuid: string | null, context: LineContext): void {
  emitPatch(patchedFiles(patch), context.cwd, uuid, context);
}

function toolName(namespace: string | null, name: string): string {
  if (namespace === null) return name;
  return `${namespace}__${name.replace(/^_+/, '')}`;
}

const SHELLS = new Set(['exec_command', 'shell', 'shell_command', 'local_shell', 'container.exec']);
/** Calls that only wait, poll or update a list, and are not worth searching. */
const SILENT = new Set(['write_stdin', 'update_plan', 'wait', 'wait_agent', 'close_agent']);
