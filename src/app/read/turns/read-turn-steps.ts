import type { TranscriptStep } from '../../../domain/session/transcript-step.ts';
import type { RedactableText, Redactor } from '../../../ports/redactor.ts';
import type { SessionTurns } from './open-turns.ts';
import type { ReaderStep, ReaderTurn, SubagentStep, TextStep, ToolStep } from './reader-turn.ts';
import { addSubagents } from './subagent-turns.ts';

/** The steps of consecutive turns of a session. */
export async function readSteps(opened: SessionTurns, shown: SessionTurns['turns']): Promise<ReaderTurn[]> {
  const { transcript } = opened;
  if (transcript === null) return shown.map(storedSteps);
  const turns = shown.map(({ place: _, subagents: __, ...turn }) => ({ ...turn, steps: [] as ReaderStep[] }));
  const calls = new Map<string, ToolStep>();
  const prompted = new Set<number>();
  for (const { path, from, to, first, last } of runs(shown)) {
    let at = first;
    transcript.source.readSteps(path, { from, to, ofSubagent: transcript.ofSubagent }, (step, offset) => {
      while (at < last && offset >= (shown[at + 1]?.place?.from ?? 0)) at += 1;
      const steps = turns[at]?.steps ?? [];
      const prompt = shown[at]?.place?.prompt;
      if (prompt !== undefined && offset >= prompt && !prompted.has(at)) {
        prompted.add(at);
        if (steps.length > 0) steps.push({ kind: 'prompt' });
      }
      addStep(steps, step, calls);
    });
  }
  if (!transcript.ofSubagent) addSubagents(transcript, opened.turns, turns);
  return turns;
}

interface Run {
  path: string;
  from: number;
  to: number;
  /** Indexes into `shown`. */
  first: number;
  last: number;
}

/** Groups turns that are adjacent in one file, to be read at once. */
function runs(shown: SessionTurns['turns']): Run[] {
  const found: Run[] = [];
  for (const [at, { place }] of shown.entries()) {
    if (place === undefined) continue;
    const open = found.at(-1);
    if (open?.path === place.path && open.to === place.from) Object.assign(open, { to: place.to, last: at });
    else found.push({ ...place, first: at, last: at });
  }
  return found;
}

function addStep(steps: ReaderStep[], step: TranscriptStep, calls: Map<string, ToolStep>): void {
  const last = steps.at(-1);
  if (step.kind === 'text' || step.kind === 'thinking') steps.push(step);
  else if (step.kind === 'call') {
    const { id, name, summary, input, edits } = step;
    const tool: ToolStep = { kind: 'tool', name, summary };
    if (input !== null) tool.input = input;
    if (edits.length > 0) tool.edits = edits;
    if (id !== null) calls.set(id, tool);
    steps.push(tool);
  } else if (step.kind === 'result') {
    const call = calls.get(step.id ?? '');
    if (call === undefined) return;
    if (step.output !== '') call.output = step.output;
    if (step.failed) call.failed = true;
    if (step.images.length > 0) call.images = step.images;
  } else if (last?.kind === 'compaction') last.summary ??= step.summary;
  else steps.push(step);
}

/** The steps of a turn as known from the index. */
function storedSteps({ place: _, subagents = [], ...turn }: SessionTurns['turns'][number]): ReaderTurn {
  const tools = turn.tools.map((summary): ToolStep => {
    return { kind: 'tool', name: /^[^\s:]+/.exec(summary)?.[0] ?? 'tool', summary };
  });
  const agents = subagents.map(({ agent_id, task }): SubagentStep => {
    return { kind: 'subagent', id: agent_id, title: task, turn_count: 1 };
  });
  const textOf = (text = ''): TextStep[] => (text === '' ? [] : [{ kind: 'text', text }]);
  const before = turn.before === undefined ? [] : [...textOf(turn.before), { kind: 'prompt' as const }];
  return { ...turn, steps: [...before, ...tools, ...agents, ...textOf(turn.assistant)] };
}

/** Longer inputs, outputs and edits are truncated. */
const LONGEST_TEXT = 20_000;
/** Extra text to redact, so that a secret at the cut is still recognized. */
const SLACK = 4000;

/** Redacts all texts of the turns. */
export async function redactTurns(turns: ReaderTurn[], redactor: Redactor): Promise<ReaderTurn[]> {
  const texts: RedactableText[] = [];
  const puts: ((text: string) => void)[] = [];
  const take = (text: string, put: (text: string) => void) => {
    texts.push({ text });
    puts.push(put);
  };
  const copies = turns.map((turn) => {
    const copy = { ...turn, tools: [...turn.tools], steps: turn.steps.map((step) => ({ ...step })) };
    take(copy.user, (text) => Object.assign(copy, { user: text }));
    if (copy.before !== undefined) take(copy.before, (text) => Object.assign(copy, { before: text }));
    take(copy.assistant, (text) => Object.assign(copy, { assistant: text }));
    for (const [at, line] of copy.tools.entries()) take(line, (text) => copy.tools.splice(at, 1, text));
    for (const step of copy.steps) takeStep(step, take);
    return copy;
  });
  const redacted = await redactor.redact(texts);
  for (const [at, put] of puts.entries()) put(redacted[at]?.text ?? '');
  return copies;
}

type Take = (text: string, put: (text: string) => void) => void;

function takeStep(step: ReaderStep, take: Take): void {
  if (step.kind === 'text') take(step.text, (text) => Object.assign(step, { text }));
  else if (step.kind === 'thinking')
    take(step.text.slice(0, LONGEST_TEXT + SLACK), (text) =>
      Object.assign(step, { text: text.slice(0, LONGEST_TEXT) }),
    );
  else if (step.kind === 'prompt') return;
  else if (step.kind === 'subagent') take(step.title, (title) => Object.assign(step, { title }));
  else if (step.kind === 'compaction')
    take(step.summary ?? '', (text) => Object.assign(step, { summary: text || null }));
  else takeTool(step, take);
}

function takeTool(step: ToolStep, take: Take): void {
  const takeCut = (whole: string, put: (text: string) => void) => {
    const left = whole.length - LONGEST_TEXT;
    if (left > 0) step.cut = (step.cut ?? 0) + left;
    take(whole.slice(0, LONGEST_TEXT + SLACK), (text) => put(text.slice(0, LONGEST_TEXT)));
  };
  take(step.summary, (summary) => Object.assign(step, { summary }));
  if (step.input !== undefined) takeCut(step.input, (input) => Object.assign(step, { input }));
  if (step.output !== undefined) takeCut(step.output, (output) => Object.assign(step, { output }));
  step.edits = step.edits?.map((edit) => ({ ...edit }));
  if (step.edits === undefined) delete step.edits;
  for (const edit of step.edits ?? []) {
    takeCut(edit.before, (before) => Object.assign(edit, { before }));
    takeCut(edit.after, (after) => Object.assign(edit, { after }));
  }
}
