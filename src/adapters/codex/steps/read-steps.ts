import { relativePath } from '../../../domain/session/tool-line.ts';
import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import {
  inputText,
  showableImage,
  stepOf,
  type TranscriptStep,
  thinkingStep,
} from '../../../domain/session/transcript-step.ts';
import type { StepRange } from '../../../ports/transcript-source.ts';
import { recordsOfLine } from '../../jsonl/objects-of-line.ts';
import { asList, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
import { diffEdits, patchEdits } from '../../records/patch-edits.ts';
import { commandText } from '../calls/emit-call.ts';
import { resolvePath } from '../calls/patched-files.ts';
import { type Rollouts, readLines } from '../files/read-file.ts';
import { asItem, findFirstEvent } from '../transcript/bare-lines.ts';
import { parseLine } from '../transcript/parse-line.ts';
import { readMeta } from '../transcript/read-head.ts';

type Payload = Record<string, unknown>;
type Call = Extract<TranscriptStep, { kind: 'call' }>;

/** See TranscriptSource.readSteps. */
export function readSteps(
  files: Rollouts,
  { from, to }: StepRange,
  onStep: (step: TranscriptStep, offset: number) => void,
): void {
  const cwd = readMeta(files)?.cwd ?? null;
  const firstEvent = findFirstEvent(files);
  readLines(files, from, 0, (bytes, _number, offset) => {
    if (offset >= to) return false;
    for (const line of recordsOfLine(bytes))
      for (const step of stepsOf(asItem(line), cwd, offset < firstEvent)) onStep(step, offset);
    return true;
  });
}

function stepsOf(line: Payload, cwd: string | null, isBare: boolean): TranscriptStep[] {
  const events: TranscriptEvent[] = [];
  const context = {
    cwd,
    timestamp: null,
    inherited: false,
    isBare,
    questionsOf: () => [],
    emit: (event: TranscriptEvent) => events.push(event),
  };
  parseLine(line, context, Number.POSITIVE_INFINITY);
  const payload = asRecord(line.payload) ?? {};
  const lines = events.flatMap((event) =>
    event.kind === 'message' && event.role === 'tool' ? event.text : [],
  );
  const calls = line.ordinal === undefined ? legacyCall(line, payload) : itemCall(payload);
  const [call] = calls;
  if (call?.kind === 'call') {
    call.summary = lines.join(', ') || call.name;
    for (const edit of call.edits) edit.path = relativePath(resolvePath(edit.path, cwd), cwd);
  }
  return [...events.flatMap(stepOf), ...calls];
}

/** The call, or the result, in a line without an ordinal. */
function legacyCall(line: Payload, payload: Payload): TranscriptStep[] {
  if (line.type !== 'response_item') return [];
  const id = asText(payload.call_id) ?? asText(payload.id);
  const name = asText(payload.name) ?? 'tool';
  switch (payload.type) {
    case 'function_call': {
      const args = asRecord(parseJson(asText(payload.arguments) ?? '')) ?? {};
      return [callOf(id, name, args, asText(args.input) ?? asText(args.patch) ?? '')];
    }
    case 'custom_tool_call': {
      const input = asText(payload.input) ?? '';
      const edits = patchEdits(input);
      return [{ ...emptyCall(id, name), input: edits.length > 0 ? null : input, edits }];
    }
    case 'reasoning':
      return thinkingStep(
        asList(payload.summary)
          .flatMap((part) => asText(asRecord(part)?.text) ?? [])
          .join('\n\n'),
      );
    case 'local_shell_call':
      return [callOf(id, 'shell', asRecord(payload.action) ?? {}, '')];
    case 'web_search_call':
      return [callOf(id, 'web_search', asRecord(payload.action) ?? {}, '')];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [resultOf(id, payload.output)];
    default:
      return [];
  }
}

function callOf(id: string | null, name: string, args: Payload, patch: string): Call {
  const command = commandText(args.cmd ?? args.command);
  const edits = patchEdits(patch === '' && /\bapply_?patch\b/.test(command) ? command : patch);
  return { ...emptyCall(id, name), input: edits.length > 0 ? null : command || inputText(args), edits };
}

function emptyCall(id: string | null, name: string): Call {
  return { kind: 'call', id, name, summary: name, input: null, edits: [] };
}

/** An output is a string, `{ content }` or a list of parts. */
function resultOf(id: string | null, output: unknown): TranscriptStep {
  const parts = (Array.isArray(output) ? output : asList(asRecord(output)?.content_items))
    .map(asRecord)
    .filter((part) => part !== null);
  const text = asText(output) ?? asText(asRecord(output)?.content);
  const shown = text ?? parts.flatMap((part) => asText(part.text) ?? []).join('\n');
  const code = /^(?:Exit code: |Process exited with code )(\d+)/m.exec(shown.slice(0, 500))?.[1];
  return {
    kind: 'result',
    id,
    output: shown,
    failed: (code !== undefined && code !== '0') || asRecord(output)?.success === false,
    images: parts.flatMap((part) => {
      const [, mime, data] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(asText(part.image_url) ?? '') ?? [];
      return showableImage(mime, data);
    }),
  };
}

/** A numbered line contains a call and its result. */
function itemCall(payload: Payload): TranscriptStep[] {
  const item = payload.type === 'item_completed' ? asRecord(payload.item) : null;
  if (item === null) return [];
  const id = asText(item.id);
  const failed = item.status === 'failed' || item.status === 'declined';
  const result = (output: string): TranscriptStep[] =>
    output === '' && !failed ? [] : [{ kind: 'result', id, output, failed, images: [] }];
  switch (item.type) {
    case 'Reasoning':
      return thinkingStep(
        asList(item.summary_text)
          .flatMap((text) => asText(text) ?? [])
          .join('\n\n'),
      );
    case 'CommandExecution':
      return [
        { ...emptyCall(id, 'Bash'), input: commandText(item.command) },
        ...result(asText(item.aggregated_output) ?? ''),
      ];
    case 'FileChange':
      return [{ ...emptyCall(id, 'Edit'), edits: changedFiles(item) }, ...result(asText(item.stderr) ?? '')];
    case 'McpToolCall':
      return [
        { ...emptyCall(id, asText(item.tool) ?? 'tool'), input: inputText(asRecord(item.arguments) ?? {}) },
        ...result(outputText(item.result)),
      ];
    case 'DynamicToolCall':
    case 'CollabAgentToolCall':
    case 'WebSearch':
      return [
        {
          ...emptyCall(id, asText(item.tool) ?? String(item.type)),
          input: asText(item.prompt) ?? asText(item.query) ?? inputText(asRecord(item.arguments) ?? {}),
        },
      ];
    default:
      return [];
  }
}

function changedFiles(item: Payload): Call['edits'] {
  return Object.entries(asRecord(item.changes) ?? {}).flatMap(([path, change]) => {
    const { type, content, unified_diff: diff } = asRecord(change) ?? {};
    const text = asText(content) ?? '';
    if (type === 'add') return [{ path, before: '', after: text }];
    if (type === 'delete') return [{ path, before: text, after: '' }];
    return diffEdits(path, asText(diff) ?? '');
  });
}

function outputText(result: unknown): string {
  const content = asList(asRecord(result)?.content ?? asRecord(asRecord(result)?.Ok)?.content);
  return content.flatMap((part) => asText(asRecord(part)?.text) ?? []).join('\n');
}
