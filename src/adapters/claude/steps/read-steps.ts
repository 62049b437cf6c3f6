import { isRecord } from '../../../domain/is-record.ts';
import { relativePath } from '../../../domain/session/tool-line.ts';
import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import {
  type FileEdit,
  inputText,
  type StepImage,
  showableImage,
  stepOf,
  type TranscriptStep,
  thinkingStep,
} from '../../../domain/session/transcript-step.ts';
import type { StepRange } from '../../../ports/transcript-source.ts';
import { recordsOfLine } from '../../jsonl/objects-of-line.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { asList, asRecord, asText } from '../../jsonl/read-value.ts';
import { parseLine } from '../transcript/parse-line.ts';

type Line = Record<string, unknown>;

/** See TranscriptSource.readSteps. */
export function readSteps(
  path: string,
  { from, to, ofSubagent = false }: StepRange,
  onStep: (step: TranscriptStep, offset: number) => void,
): void {
  readLines(path, from, 0, (bytes, _number, offset) => {
    if (offset >= to) return false;
    for (const line of recordsOfLine(bytes))
      for (const step of stepsOf(line, ofSubagent)) onStep(step, offset);
    return true;
  });
}

function stepsOf(line: Line, ofSubagent: boolean): TranscriptStep[] {
  if (line.isSidechain === true && !ofSubagent) return [];
  const content = asRecord(line.message)?.content;
  if (line.type === 'assistant' && Array.isArray(content))
    return content.flatMap((block) => (isRecord(block) ? stepsOfBlock(block, line) : []));
  const results =
    line.type === 'user' ? asList(content).flatMap((block) => (isRecord(block) ? resultOf(block) : [])) : [];
  return [...results, ...eventsOf(line, ofSubagent).flatMap(stepOf)];
}

function stepsOfBlock(block: Line, line: Line): TranscriptStep[] {
  if (block.type === 'thinking') return thinkingStep(asText(block.thinking));
  // Only a line with this single block shows how the block appears in the conversation.
  const events = eventsOf({ ...line, message: { ...asRecord(line.message), content: [block] } }, true);
  if (block.type !== 'tool_use') return events.flatMap(stepOf);
  const name = asText(block.name) || 'tool';
  const shown = events.find((event) => event.kind === 'message' && event.role === 'tool');
  const input = asRecord(block.input) ?? {};
  const edits = editsOf(input, asText(line.cwd));
  return [
    {
      kind: 'call',
      id: asText(block.id),
      name,
      summary: shown?.kind === 'message' ? shown.text : name,
      input: edits.length > 0 ? null : (asText(input.command) ?? inputText(input)),
      edits,
    },
  ];
}

function eventsOf(line: Line, ofSubagent: boolean): TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  parseLine(line, {
    inherited: false,
    ofSubagent,
    calls: { note: () => undefined, includes: () => false, input: () => null },
    holds: () => false,
    isFirst: () => true,
    repeats: () => false,
    emit: (event) => events.push(event),
  });
  return events;
}

function resultOf(block: Line): TranscriptStep[] {
  if (block.type !== 'tool_result') return [];
  const parts = asList(block.content)
    .map(asRecord)
    .filter((part) => part !== null);
  const texts = parts.flatMap((part) => (part.type === 'text' ? (asText(part.text) ?? []) : []));
  return [
    {
      kind: 'result',
      id: asText(block.tool_use_id),
      output: asText(block.content) ?? texts.join('\n'),
      failed: block.is_error === true,
      images: parts.flatMap(imageOf),
    },
  ];
}

function imageOf(part: Line): StepImage[] {
  const source = part.type === 'image' ? asRecord(part.source) : null;
  return source === null ? [] : showableImage(source.media_type, source.data);
}

/** The edits in the arguments of Edit, MultiEdit, Write and NotebookEdit. */
function editsOf(input: Line, cwd: string | null): FileEdit[] {
  const given = asText(input.file_path) ?? asText(input.notebook_path);
  if (given === null) return [];
  const path = relativePath(given, cwd);
  const changes = Array.isArray(input.edits) ? input.edits : [input];
  return changes.flatMap((change) => {
    const { old_string, new_string, content, new_source } = asRecord(change) ?? {};
    const after = asText(new_string) ?? asText(content) ?? asText(new_source);
    return after === null ? [] : [{ path, before: asText(old_string) ?? '', after }];
  });
}
