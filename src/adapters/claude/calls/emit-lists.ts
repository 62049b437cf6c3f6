import {
  planText,
  shortQuestions,
  shortText,
  shortTodos,
  todoStatus,
} from '../../../domain/session/calls/agent-lists.ts';
import { asList, asRecord, asText } from '../../jsonl/read-value.ts';
import type { LineContext } from './line-context.ts';

/** Emits the questions, plans and step lists in a call. */
export function emitLists(
  name: string,
  call: string,
  input: Record<string, unknown>,
  { inherited, emit }: LineContext,
): void {
  switch (name) {
    case 'AskUserQuestion': {
      const questions = shortQuestions(asList(input.questions).map(readQuestion));
      if (questions.length > 0) emit({ kind: 'asked', call, questions, inherited });
      return;
    }
    case 'ExitPlanMode':
    case 'exit_plan_mode': {
      const text = planText(asText(input.plan) ?? '');
      if (text !== '') emit({ kind: 'plan', call, text, inherited });
      return;
    }
    case 'TodoWrite': {
      const items = asList(input.todos).map((todo) => {
        const { content, status } = asRecord(todo) ?? {};
        return { id: null, text: shortText(asText(content)), status: todoStatus(asText(status)) };
      });
      emit({ kind: 'todos', items: shortTodos(items), whole: true, inherited });
      return;
    }
    case 'TaskUpdate': {
      const [id, subject] = [asText(input.taskId), asText(input.subject)];
      const text = subject === null ? null : shortText(subject);
      const items = shortTodos([{ id, text, status: todoStatus(asText(input.status)) }]);
      if (id !== null) emit({ kind: 'todos', items, whole: false, inherited });
      return;
    }
  }
}

/** Emits the user's answers, from the agent's exact record. The text for the model is not exact. */
export function emitAnswers(call: string, result: unknown, { inherited, emit }: LineContext): void {
  const answers = Object.entries(asRecord(asRecord(result)?.answers) ?? {}).map(([question, answer]) => ({
    key: shortText(question.toWellFormed()),
    answer: shortText(Array.isArray(answer) ? answer.map(asText).join(', ') : asText(answer)),
  }));
  const given = answers.filter(({ answer }) => answer !== '').slice(0, 12);
  if (given.length > 0) emit({ kind: 'answered', call, answers: given, inherited });
}

/** Emits a new task. Its number is only in the result. */
export function emitNewTask(output: string, { inherited, emit }: LineContext): void {
  const [, id, subject] = NEW_TASK.exec(output) ?? [];
  if (id === undefined || subject === undefined) return;
  emit({ kind: 'todos', items: [{ id, text: shortText(subject), status: 'open' }], whole: false, inherited });
}

const NEW_TASK = /^Task #(\d{1,9}) created successfully: (.{1,2000})/;

function readQuestion(asked: unknown) {
  const { question, options } = asRecord(asked) ?? {};
  const text = shortText(asText(question));
  const labels = asList(options).map((option) => shortText(asText(asRecord(option)?.label)));
  return { key: text, question: text, options: labels.filter((label) => label !== '') };
}
