import {
  shortQuestions,
  shortText,
  shortTodos,
  todoStatus,
} from '../../../domain/session/calls/agent-lists.ts';
import { inReplyTo } from '../../../domain/session/calls/dialog-words.ts';
import { asList, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
import { emitReply, type LineContext } from './emit-call.ts';

/** Emits the questions, step lists and waits in a call. */
export function emitLists(name: string, call: string | null, args: unknown, context: LineContext): void {
  const { inherited, emit } = context;
  const record = asRecord(args) ?? {};
  if (name === 'update_plan') {
    const items = asList(record.plan).map((entry) => {
      const { step, status } = asRecord(entry) ?? {};
      return { id: null, text: shortText(asText(step)), status: todoStatus(asText(status)) };
    });
    emit({ kind: 'todos', items: shortTodos(items), whole: true, inherited });
  } else if (name === 'request_user_input' && call !== null) {
    const questions = shortQuestions(asList(record.questions).map(readQuestion));
    if (questions.length > 0) emit({ kind: 'asked', call, questions, inherited });
  } else if (name === 'write_stdin' && call !== null) {
    const process = typeof record.session_id === 'number' ? String(record.session_id) : null;
    if (process !== null) emit({ kind: 'process', call, process });
  }
}

/** The user's answers: `{"answers":{"<question's id>":{"answers":["…"]}}}`. */
export function emitAnswers(call: string | null, output: string, context: LineContext): void {
  const { inherited, emit } = context;
  if (call === null || !/^\s*\{\s*"answers"/.test(output)) return;
  const answers = Object.entries(asRecord(asRecord(parseJson(output))?.answers) ?? {}).map(([key, given]) => {
    const texts = asList(asRecord(given)?.answers).map((text) => asText(text) ?? '');
    return {
      key: shortText(key.toWellFormed()),
      answer: shortText(texts.filter((text) => text !== '').join(', ')),
    };
  });
  const given = answers.filter(({ answer }) => answer !== '').slice(0, 12);
  if (given.length > 0) emit({ kind: 'answered', call, answers: given, inherited });
  const asked = context.questionsOf(call);
  for (const [key, entry] of Object.entries(asRecord(asRecord(parseJson(output))?.answers) ?? {})) {
    const question = asked.find(({ id }) => id === key);
    for (const text of asList(asRecord(entry)?.answers)) {
      const typed = typedIn(asText(text) ?? '', question);
      if (typed !== '')
        emitReply('answer', inReplyTo(asText(question?.question) ?? '', typed), call, context);
    }
  }
}

/** Codex marks what the user typed; an option that was chosen is its label alone. To a question without options, clients answer without the mark. */
function typedIn(answer: string, question: Record<string, unknown> | undefined): string {
  const note = NOTE.exec(answer)?.[1];
  const isFree = question !== undefined && asList(question.options).length === 0;
  return (note ?? (isFree ? answer : '')).trim();
}

const NOTE = /^user_note: ([\s\S]+)$/;

function readQuestion(asked: unknown) {
  const { id, question, options } = asRecord(asked) ?? {};
  const text = shortText(asText(question));
  const labels = asList(options).map((option) => shortText(asText(asRecord(option)?.label)));
  return {
    key: shortText(asText(id)) || text,
    question: text,
    options: labels.filter((label) => label !== ''),
  };
}
