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
import { fromFileUrl, type PatchAction, type PatchedFile } from './patch.ts';
import { asList, asRecord, asText } from './read-value.ts';

/** Tells the events of a numbered `event_msg`; false when it has not the shape it should have. */
export function tellPaginatedEvent(payload: Record<string, unknown>, context: LineContext): boolean {
  if (payload.type !== 'item_completed') return true;
  const item = asRecord(payload.item);
  if (item === null) return false;
  const uuid = asText(item.id);
  switch (item.type) {
    case 'UserMessage':
      tellMessage('user', cleanUserText(contentText(item.content)), uuid, context);
      return Array.isArray(item.content);
    case 'AgentMessage':
      tellMessage('assistant', contentText(item.content).trim(), uuid, context);
      return Array.isArray(item.content);
    case 'Plan':
      tellMessage('assistant', asText(item.text)?.trim() ?? '', uuid, context);
      return true;
    case 'CommandExecution':
      tellExecution(item, uuid, context);
      return true;
    case 'FileChange':
      return tellChanges(item, uuid, context);
    default:
      tellOther(item, uuid, context);
      return true;
  }
}

function tellExecution(item: Record<string, unknown>, uuid: string | null, context: LineContext): void {
  const cwd = asText(item.cwd);
  const folder = cwd === null ? context.cwd : fromFileUrl(cwd);
  tellCommand(commandText(item.command), folder, uuid, context);
  tellCommits(asText(item.aggregated_output) ?? '', context);
}

/** Patches that were refused or failed changed nothing. */
function tellChanges(item: Record<string, unknown>, uuid: string | null, context: LineContext): boolean {
  const changes = asRecord(item.changes);
  if (changes === null) return false;
  if (item.status === 'failed' || item.status === 'declined') return true;
  const files = Object.entries(changes).flatMap(([path, change]): PatchedFile[] => {
    const { type, move_path: target } = asRecord(change) ?? {};
    const action: PatchAction = type === 'add' ? 'Write' : type === 'delete' ? 'Delete' : 'Edit';
    const moved = asText(target);
    return [{ action, path }, ...(moved === null ? [] : [{ action: 'Write' as const, path: moved }])];
  });
  tellPatch(files, context.cwd, uuid, context);
  return true;
}

function tellOther(item: Record<string, unknown>, uuid: string | null, context: LineContext): void {
  const tool = asText(item.tool) ?? '';
  if (item.type === 'McpToolCall') {
    tellTool(`mcp__${asText(item.server) ?? ''}__${tool}`, item.arguments, uuid, context);
  } else if (item.type === 'DynamicToolCall') {
    tellTool(tool || 'tool', item.arguments, uuid, context);
  } else if (item.type === 'CollabAgentToolCall') {
    if (tool === 'spawn_agent') tellCall('Agent', asText(item.prompt) ?? '', uuid, context);
  } else if (item.type === 'WebSearch') {
    tellCall('WebSearch', asText(item.query) ?? '', uuid, context);
  } else if (item.type === 'ImageView') {
    tellPath('Read', fromFileUrl(asText(item.path) ?? ''), uuid, context);
  }
}

/** The text parts of a message; images, skills and mentions carry none. */
function contentText(content: unknown): string {
  const texts = asList(content).map((part) => asText(asRecord(part)?.text) ?? '');
  return texts.filter((text) => text !== '').join('\n');
}
