import { inReplyTo, pairsIn, withoutLabels } from '../../../domain/session/calls/dialog-words.ts';
import type { Reply } from '../../../domain/session/transcript-event.ts';
import { asList, asRecord, asText } from '../../jsonl/read-value.ts';
import { cleanAssistantText, cleanUserText } from '../transcript/clean-text.ts';
import { emitMessage } from '../transcript/emit-message.ts';
import type { LineContext } from './line-context.ts';

type Line = Record<string, unknown>;

/** Emits what the user said in a dialog: the reason for refusing a call, a typed answer, the plan that was approved. */
export function emitReplies(block: Line, output: string, line: Line, context: LineContext): void {
  const emit = (reply: Reply, text: string) => emitMessage('user', text, line, context, { reply });
  if (block.is_error === true) {
    const reason = reasonIn(output);
    if (reason.startsWith(CLARIFY)) for (const text of clarifications(reason)) emit('answer', text);
    else emit('reason', cleanUserText(reason));
    return;
  }
  const call = asText(block.tool_use_id) ?? '';
  const details = asRecord(line.toolUseResult);
  if (APPROVED.test(output) && details?.isAgent !== true) {
    const plan = planOf(output, details, context.calls.input(call));
    if (plan !== '') emit('plan', `Approved plan:\n\n${plan}`);
  } else if (asRecord(details?.answers) !== null || ANSWERED.test(output)) {
    for (const text of typedAnswers(output, details ?? {}, context.calls.input(call))) emit('answer', text);
  }
}

const REFUSED =
  /^(?:Error: )?(?:The user doesn't want to (?:proceed with this tool use|take this action right now)|Permission for this tool use was denied)\b/;
const REASON =
  /(?:To tell you how to proceed, the user said|The user said|[Tt]he user provided the following reason for the rejection)\s*:\s*/;
/** Newer versions add a note for the model. */
const NOTE = /\n[ \t]*Note: The user's next message may contain a correction or preference\.[\s\S]*$/;

/** The user's words in the result of a refused call; empty if there are none. */
function reasonIn(output: string): string {
  if (!REFUSED.test(output)) return '';
  const mark = REASON.exec(output.slice(0, 1000));
  return mark === null
    ? ''
    : output
        .slice(mark.index + mark[0].length)
        .replace(NOTE, '')
        .trim();
}

const CLARIFY = 'The user wants to clarify these questions.';

/** The answers and notes that the user had typed when asking for other questions. */
function clarifications(text: string): string[] {
  const found: string[] = [];
  let question = '';
  for (const line of text.split('\n')) {
    question = /^\s*- "(.*)"\s*$/.exec(line)?.[1] ?? question;
    const said = /^\s+(?:Answer|User notes): (.*)$/.exec(line)?.[1];
    if (said !== undefined) found.push(inReplyTo(question, cleanUserText(said)));
  }
  return found;
}

const APPROVED = /^User has approved (?:your plan|exiting plan mode)\b/;
const EDITED = /^## Approved Plan \(edited by user\):\n/m;
const ATTACHED = /^## Approved Plan:\n/m;

/** The plan as approved: the user may have edited it, and a record of it may be cut. */
function planOf(output: string, details: Line | null, input: Line | null): string {
  const after = (heading: RegExp) => {
    const found = heading.exec(output);
    return found === null ? null : output.slice(found.index + found[0].length);
  };
  const plan = after(EDITED) ?? asText(input?.plan) ?? after(ATTACHED) ?? asText(details?.plan) ?? '';
  return cleanAssistantText(plan);
}

const ANSWERED =
  /^(?:User has answered your questions?|Your questions have been answered|The user responded): /;

/** What the user typed instead of choosing an option, and what was added to a choice. */
function typedAnswers(output: string, details: Line, input: Line | null): string[] {
  const labels = labelsOf(asList(details.questions).concat(asList(input?.questions)));
  const typed: string[] = [];
  const answers = asRecord(details.answers);
  const annotations = asRecord(details.annotations) ?? {};
  const add = (question: string, answer: string, notes: string | null) => {
    const own = withoutLabels(answer, labels.get(question) ?? []);
    for (const text of new Set([own, notes?.trim() ?? '']))
      if (text !== '') typed.push(inReplyTo(question, cleanUserText(text)));
  };
  const response = asText(details.response) ?? /^The user responded: ([\s\S]+)$/.exec(output)?.[1] ?? '';
  if (response.trim() !== '') typed.push(cleanUserText(response));
  if (answers === null)
    for (const { question, answer, notes } of pairsIn(output.slice(0, 40_000), [...labels.keys()]))
      add(question, answer, notes);
  for (const [question, answer] of Object.entries(answers ?? {})) {
    const given = Array.isArray(answer) ? answer.map((one) => asText(one) ?? '').join(', ') : asText(answer);
    add(question, given ?? '', asText(asRecord(annotations[question])?.notes));
  }
  for (const question of Object.keys(annotations))
    if (answers?.[question] === undefined) add(question, '', asText(asRecord(annotations[question])?.notes));
  return typed;
}

function labelsOf(questions: unknown[]): Map<string, string[]> {
  const labels = new Map<string, string[]>();
  for (const asked of questions) {
    const { question, options } = asRecord(asked) ?? {};
    const known = asList(options).flatMap((option) => asText(asRecord(option)?.label) ?? []);
    const text = asText(question) ?? '';
    labels.set(text, [...(labels.get(text) ?? []), ...known]);
  }
  return labels;
}
