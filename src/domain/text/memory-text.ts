/** Words for what `recall` answers, the same at every door. */

interface Kind {
  kind: string;
  open: boolean | null;
  tentative: boolean;
}

/** "todo, done", "tentative decision". */
export function kindText({ kind, open, tentative }: Kind): string {
  const [isOpen, isDone, unknown = kind] = OPEN[kind] ?? [kind, kind];
  return `${tentative ? 'tentative ' : ''}${open === null ? unknown : open ? isOpen : isDone}`;
}

/** If it is open, if it is not, and if nobody knows. */
const OPEN: Record<string, [string, string, string?]> = {
  todo: ['open todo', 'todo, done', 'todo, may be done'],
  question: ['open question', 'question, answered'],
  problem: ['open problem', 'problem, solved'],
};

/** Why what is listed may not answer, unless a filter excludes what does. */
export function doubtText({ notices }: { notices: { code: string }[] }): string {
  return notices.some(({ code }) => code === 'NOTHING_OPEN')
    ? 'Nothing open was found'
    : 'Past sessions may not say';
}

/** Words for a relation, seen from one of its ends: "replaced", "answered by". */
export function relationText(kind: keyof typeof RELATIONS, reversed: boolean): string {
  return RELATIONS[kind][reversed ? 1 : 0];
}

const RELATIONS = {
  supersedes: ['replaces', 'replaced: now'],
  builds_on: ['builds on', 'continued by'],
  contradicts: ['holds now, contradicts', 'no longer holds, contradicted by'],
  answers: ['answers', 'answered by'],
  relates_to: ['see also', 'see also'],
} as const;

/** Words for what is said after an answer: "the next prompt says otherwise". */
export const LATER_TEXTS = {
  denied: 'the next prompt says otherwise',
  repeated: 'the error came again',
  'taken back': 'taken back by the user',
  continued: 'may be over, worked on later in',
};
