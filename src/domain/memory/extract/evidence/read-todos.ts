import type { TodoItem } from '../../../session/transcript-event.ts';
import { CONFIDENCE } from '../../confidence.ts';
import { keyWords, overlap } from '../../text/sentences.ts';
import { isRoutine } from '../../text/task.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { closeIdea, followStep, noteIdea } from '../note-idea.ts';

/** Number of steps that are followed; lists are seldom longer. */
const MAX_STEPS = 120;

/** Follows the agent's step list: each step is a todo, closed when it is done, dropped, or missing from the list. */
export function addTodos(state: MemoryState, items: TodoItem[], whole: boolean, at: Place): void {
  if (whole) {
    const texts = new Set(items.map(({ text }) => text));
    for (const todo of state.todos)
      if (todo.id === null && !texts.has(todo.text)) closeIdea(state, todo.idea);
    state.todos = state.todos.filter(({ id, text }) => id !== null || texts.has(text));
  }
  for (const item of items) addTodo(state, item, at);
}

function addTodo(state: MemoryState, { id, text, status }: TodoItem, at: Place): void {
  const isOver = status === 'done' || status === 'dropped';
  const known = state.todos.find((todo) => (id === null ? todo.text === text : todo.id === id));
  if (known !== undefined && !(id !== null && text !== null && status === 'open')) {
    if (isOver) closeIdea(state, known.idea);
    return;
  }
  if (text === null || text === '' || isRoutine(text) || state.todos.length >= MAX_STEPS) return;
  const idea =
    inPlan(state, text, isOver) ??
    noteIdea(state, at, {
      kind: 'todo',
      content: text,
      evidence: 'todo-list',
      confidence: CONFIDENCE.listedStep,
      isOpen: !isOver,
    });
  if (idea === null) return;
  // Numbers are reused when the agent begins a new list.
  state.todos = [...state.todos.filter((todo) => id === null || todo.id !== id), { id, text, idea }];
}

/** The step of the approved plan that a step of the list repeats; the list says from then on whether it is done. */
function inPlan(state: MemoryState, text: string, isOver: boolean): number | null {
  const words = keyWords(text);
  if (words.size < MIN_WORDS) return null;
  const taken = new Set(state.todos.map(({ idea }) => idea));
  const step = state.open.find(
    ({ index, evidence, content }) =>
      evidence === 'plan' && !taken.has(index) && overlap(words, keyWords(content)) >= SAME,
  );
  if (step === undefined) return null;
  if (isOver) closeIdea(state, step.index);
  else followStep(state, step);
  return step.index;
}

/** Shorter steps name no part of the plan. */
const MIN_WORDS = 3;
/** Share of words that two texts of one step have in common. */
const SAME = 0.75;
