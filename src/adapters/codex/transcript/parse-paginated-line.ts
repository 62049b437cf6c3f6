import { asList, asNumber, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
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
  emitTool,
  imageMarks,
  type LineContext,
} from '../calls/emit-call.ts';
import { emitAnswers, emitLists } from '../calls/emit-lists.ts';
import { emitExit, emitReason, outputText } from '../calls/emit-result.ts';
import { fromFileUrl, type PatchAction, type PatchedFile } from '../calls/patched-files.ts';
import { countImages } from './bare-lines.ts';
import { cleanUserText } from './clean-text.ts';
import { parseBareMessage } from './parse-legacy-line.ts';

/** Emits the events of a numbered `event_msg`; false if it does not have the shape of its type. */
export function parsePaginatedEvent(payload: Record<string, unknown>, context: LineContext): boolean {
  if (payload.type !== 'item_completed') return true;
  const item = asRecord(payload.item);
  if (item === null) return false;
  const uuid = asText(item.id);
  switch (item.type) {
    case 'UserMessage':
      emitPrompt(
        cleanUserText(contentText(item.content)) || imageMarks(countImages(item.content)),
        uuid,
        context,
      );
      return Array.isArray(item.content);
    case 'AgentMessage':
      emitAnswer(contentText(item.content), item.phase, uuid, context);
      return Array.isArray(item.content);
    case 'Plan':
      emitPlan(asText(item.text) ?? '', uuid, context);
      return true;
    case 'CommandExecution':
      parseExecution(item, uuid, context);
      return true;
    case 'FileChange':
      return parseChanges(item, uuid, context);
    default:
      parseOther(item, uuid, context);
      return true;
  }
}

function parseExecution(item: Record<string, unknown>, uuid: string | null, context: LineContext): void {
  const cwd = asText(item.cwd);
  const folder = cwd === null ? context.cwd : fromFileUrl(cwd);
  emitCommand(commandText(item.command), folder, uuid, context);
  const output = asText(item.aggregated_output) ?? '';
  const code = asNumber(item.exit_code);
  emitCommits(output, uuid, context);
  if (uuid !== null && code !== null) emitExit(uuid, code, output, context);
}

/** The only lines sent to the model that contain something beyond the items. */
export function parsePaginatedItem(payload: Record<string, unknown>, context: LineContext): void {
  const call = asText(payload.call_id);
  if (payload.type === 'message' && context.isBare) parseBareMessage(payload, context);
  if (payload.type === 'function_call')
    emitLists(asText(payload.name) ?? '', call, parseJson(asText(payload.arguments) ?? ''), context);
  else if (payload.type === 'function_call_output' || payload.type === 'custom_tool_call_output') {
    const output = outputText(payload.output);
    emitAnswers(call, output, context);
    emitReason(call, output, context);
  }
}

/** Ignores patches that failed or were declined. */
function parseChanges(item: Record<string, unknown>, uuid: string | null, context: LineContext): boolean {
  const changes = asRecord(item.changes);
  if (changes === null) return false;
  if (item.status === 'failed' || item.status === 'declined') return true;
  const files = Object.entries(changes).flatMap(([path, change]): PatchedFile[] => {
    const { type, move_path: target } = asRecord(change) ?? {};
    const action: PatchAction = type === 'add' ? 'Write' : type === 'delete' ? 'Delete' : 'Edit';
    const moved = asText(target);
    return [{ action, path }, ...(moved === null ? [] : [{ action: 'Write' as const, path: moved }])];
  });
  emitPatch(files, context.cwd, uuid, context);
  return true;
}

function parseOther(item: Record<string, unknown>, uuid: string | null, context: LineContext): void {
  const tool = asText(item.tool) ?? '';
  if (item.type === 'McpToolCall') {
    emitTool(`mcp__${asText(item.server) ?? ''}__${tool}`, item.arguments, uuid, context);
  } else if (item.type === 'DynamicToolCall') {
    emitTool(tool, item.arguments, uuid, context);
  } else if (item.type === 'CollabAgentToolCall') {
    if (tool === 'spawn_agent') emitCall('Agent', asText(item.prompt) ?? '', uuid, context);
  } else if (item.type === 'WebSearch') {
    emitCall('WebSearch', asText(item.query) ?? '', uuid, context);
  } else if (item.type === 'ImageView') {
    emitPath('Read', fromFileUrl(asText(item.path) ?? ''), uuid, context);
  }
}

/** Images, skills and mentions have no text. */
function contentText(content: unknown): string {
  const texts = asList(content).map((part) => asText(asRecord(part)?.text) ?? '');
  return texts.filter((text) => text !== '').join('\n');
}
