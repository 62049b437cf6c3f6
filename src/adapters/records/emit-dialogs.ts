import { planText, shortQuestions, shortText } from '../../domain/session/calls/agent-lists.ts';
import { inReplyTo, pairsIn, withoutLabels } from '../../domain/session/calls/dialog-words.ts';
import type { Reply, TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { FileEdit } from '../../domain/session/transcript-step.ts';
import { asRecord, asText, parseJson } from '../jsonl/read-value.ts';
import type { Row } from './row-format.ts';
import { partsOf } from './text-of.ts';

/** The arguments of a call that shows the user a dialog. */
export type DialogCall = Row;

/** The dialogs whose results have not been told yet, by the call's id. */
export interface DialogCalls {
  note(id: string | null, tool: string, input: unknown, edits: FileEdit[]): void;
  find(id: string, output: string): DialogCall | null;
}

/** @param earlier finds a call before the part that is read */
export function createDialogCalls(earlier: (id: string) => DialogCall | null = () => null): DialogCalls {
  const known = new Map<string, DialogCall>();
  let plan = '';
  return {
    note(id, tool, given, edits) {
      for (const { path, before, after } of edits)
        if (PLAN_FILE.test(path)) plan = before === '' ? after : plan.replace(before, () => after);
      const call = dialogOf(tool, given);
      // Gemini CLI, OpenCode and Copilot CLI write the plan to a file, and then ask.
      if (id !== null && call !== null) known.set(id, PLANS.has(tool) ? { plan, ...call } : call);
    },
    find: (id, output) => known.get(id) ?? (RESULT.test(output) ? earlier(id) : null),
  };
}

const PLAN_FILE = /[\\/](?:plans[\\/][^\\/]{1,255}|plan)\.md$/;
const PLANS = new Set(['exit_plan_mode', 'plan_exit']);

/** Null for a call that shows no dialog. */
export function dialogOf(tool: string, given: unknown): DialogCall | null {
  const input = asRecord(given);
  return input !== null && DIALOGS.has(tool) ? input : null;
}

/** Of OpenCode and Pi; of Pi; of Qwen Code; of Gemini CLI and Copilot CLI; of OpenCode; of all others. */
const DIALOGS = new Set([
  'question',
  'questionnaire',
  'ask_user_question',
  'ask_user',
  'plan_exit',
  'exit_plan_mode',
]);
const RESULT =
  /^(?:User (?:has (?:answered|provided|approved)|approved|selected|responded|wrote)\b|Plan (?:approved|rejected)\b|\{"answers")/;

interface Result {
  id: string;
  output: string;
  failed: boolean;
}

interface Place {
  timestamp: string | null;
  inherited: boolean;
}

/** Emits what the user said in a dialog: a typed answer, the plan that was approved, the reason for refusing any call. */
export function emitDialog(
  call: DialogCall | null,
  { id, output, failed }: Result,
  { timestamp, inherited }: Place,
  emit: (event: TranscriptEvent) => void,
): void {
  const say = (reply: Reply, text: string) => {
    if (text !== '') emit({ kind: 'message', role: 'user', text, timestamp, uuid: id, inherited, reply });
  };
  // A page or program may say the same: a refused call has failed, except in a dialog of some agents.
  if (failed || call !== null) say('reason', reasonIn(output));
  if (call === null || failed) return;
  const plan = asText(call.plan)?.trim() ?? '';
  if (plan !== '' && APPROVED.test(output)) {
    emit({ kind: 'plan', call: id, text: planText(plan), inherited });
    say('plan', `Approved plan:\n\n${plan}`);
  }
  const asked = questionsIn(call);
  const answers = answersIn(output, asked).filter(({ answer }) => answer.trim() !== '');
  if (answers.length === 0) return;
  emit({ kind: 'asked', call: id, questions: shortQuestions(asked.map(shortened)), inherited });
  const given = answers.map(({ question, answer }) => ({
    key: shortText(question),
    answer: shortText(answer),
  }));
  emit({ kind: 'answered', call: id, answers: given.slice(0, 12), inherited });
  for (const { question, answer } of answers) {
    const { options = [] } = asked.find((one) => one.question === question) ?? {};
    say('answer', inReplyTo(question, withoutLabels(answer, options)));
  }
}

const APPROVED = /^(?:User (?:has )?approved |Plan approved\.)/;
/** Of OpenCode; of Gemini CLI, which says then where its plan is; of Copilot CLI. */
const REASON =
  /^(?:Error: )?(?:The user rejected permission to use this specific tool call with the following feedback|(?:Plan rejected|The user rejected this tool call)\. User feedback): /;

function reasonIn(output: string): string {
  const found = REASON.exec(output);
  if (found === null) return '';
  return (output.slice(found[0].length).split('\n\nThe plan is stored at: ', 1)[0] ?? '').trim();
}

interface Question {
  header: string;
  question: string;
  options: string[];
}

function shortened({ question, options }: Question) {
  const key = shortText(question);
  return { key, question: key, options: options.map(shortText) };
}

function questionsIn(input: Row): Question[] {
  const asked = partsOf(input.questions);
  return (asked.length > 0 ? asked : [input]).flatMap((one) => {
    const question = asText(one.question) ?? asText(one.prompt) ?? '';
    const options = [one.options, one.choices].flatMap((list) =>
      Array.isArray(list)
        ? list.flatMap((option) => asText(option) ?? asText(asRecord(option)?.label) ?? [])
        : [],
    );
    return question === ''
      ? []
      : [{ header: asText(one.header) ?? asText(one.label) ?? '', question, options }];
  });
}

/** The forms of Gemini CLI, Qwen Code, OpenCode, Pi and Copilot CLI. */
function answersIn(output: string, asked: Question[]): { question: string; answer: string }[] {
  const numbered = asRecord(asRecord(parseJson(output))?.answers);
  if (numbered !== null)
    return asked.map(({ question }, at) => ({ question, answer: asText(numbered[at]) ?? '' }));
  if (output.startsWith('User has provided the following answers:')) return underHeaders(output, asked);
  const pairs = pairsIn(
    output,
    asked.map(({ question }) => question),
  );
  if (pairs.length > 0) return pairs;
  const [only] = asked;
  const labelled = output.split('\n').flatMap((line) => {
    const [, label, answer = ''] = LABELLED.exec(line) ?? [];
    return asked.filter(({ header }) => header === label).map(({ question }) => ({ question, answer }));
  });
  if (labelled.length > 0) return labelled;
  const answer = /^User (?:(?:responded|wrote): |selected: (?:\d{1,2}\. )?)([\s\S]+)$/.exec(output)?.[1];
  return only === undefined || answer === undefined ? [] : [{ question: only.question, answer }];
}

const LABELLED = /^([^\n:]{1,200}): user (?:wrote: |selected: (?:\d{1,2}\. )?)([^\n]+)$/;

/** `**header**: answer`, one below the other. An answer goes on up to the next known header. */
function underHeaders(output: string, asked: Question[]): { question: string; answer: string }[] {
  const found = asked.flatMap(({ header, question }, at) => {
    const mark = `\n**${header || `Question ${at + 1}`}**: `;
    const start = output.indexOf(mark);
    return start < 0 ? [] : [{ question, start, from: start + mark.length }];
  });
  return found.map(({ question, start, from }) => {
    const next = Math.min(...found.filter((one) => one.start > start).map((one) => one.start), output.length);
    return { question, answer: output.slice(from, next) };
  });
}
