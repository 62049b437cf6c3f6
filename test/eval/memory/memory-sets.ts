import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { IDEA_KINDS } from '../../../src/domain/session/ideas.ts';

/** Rules are fitted on the first half; the second is only used for measuring. A session's half is decided by the hash of its id. */
export type Half = 'tuning' | 'held-out';

/** An idea found by a person, in the labeller's words. */
export type LabelledIdea = z.infer<typeof LabelledIdea>;

/** A stretch of a session in which every idea is labelled. */
export type LabelledSession = z.infer<typeof LabelledSession>;

export type RelatedPair = z.infer<typeof RelatedPair>;

export type JudgedFind = z.infer<typeof JudgedFind>;

/** The turns at which a new topic begins, besides the first. */
export type LabelledTopics = z.infer<typeof LabelledTopics>;

/** A question, and the turns that answer it; any of them counts. */
export type MemoryQuestion = z.infer<typeof MemoryQuestion>;

export function readLabelledSessions(): LabelledSession[] {
  return readSet('memory-ideas.jsonl', LabelledSession);
}

/** Ideas found by the rules, and whether a person judged them right. */
export function readJudgedIdeas(): JudgedFind[] {
  return readSet('memory-judged.jsonl', JudgedFind);
}

/** Pairs of sessions, and whether the later one is related in this way to the earlier one. */
export function readRelatedPairs(): RelatedPair[] {
  return readSet('memory-related.jsonl', RelatedPair);
}

export function readLabelledTopics(): LabelledTopics[] {
  return readSet('memory-topics.jsonl', LabelledTopics);
}

export function readMemoryQuestions(): MemoryQuestion[] {
  return readSet('memory-questions.jsonl', MemoryQuestion);
}

const Half = z.enum(['tuning', 'held-out']);

const LabelledIdea = z.strictObject({
  kind: z.enum(IDEA_KINDS),
  /** Kinds that fit as well. */
  also: z.array(z.enum(IDEA_KINDS)).default([]),
  /** For questions, problems and todos: at the end of the session. */
  open: z.boolean().optional(),
  turn: z.int().nonnegative(),
  /** All lines that state it, counted from 1. */
  lines: z.array(z.int().positive()).nonempty(),
  content: z.string().min(1),
  /** Words of which a text about this idea contains some. */
  terms: z.array(z.string().min(1)).nonempty(),
});

const LabelledSession = z.strictObject({
  session: z.string(),
  agent: z.enum(['claude', 'codex']),
  half: Half,
  /** First and last turn of the stretch. */
  turns: z.tuple([z.int(), z.int()]),
  ideas: z.array(LabelledIdea),
});

const JudgedFind = z.strictObject({
  session: z.string(),
  kind: z.enum(IDEA_KINDS),
  turn: z.int().nonnegative(),
  line: z.int().positive(),
  /** Prefix of the content's SHA-256. */
  content: z.string().regex(/^[0-9a-f]{12}$/),
  right: z.boolean(),
});

/** What a session states: a decision in words, the answer to a question with options, or a commit. */
const Saying = z.union([
  z.strictObject({ decided: z.string() }),
  z.strictObject({ question: z.string(), options: z.array(z.string()), answer: z.string() }),
  z.strictObject({ committed: z.string() }),
]);

const RelatedPair = z.strictObject({
  kind: z.enum(['supersedes', 'contradicts', 'builds_on']),
  related: z.boolean(),
  earlier: Saying,
  later: Saying,
});

const LabelledTopics = z.strictObject({
  session: z.string(),
  half: Half,
  /** Number of turns in the session. */
  turns: z.int().positive(),
  begins: z.array(z.int().positive()),
});

const MemoryQuestion = z.strictObject({
  question: z.string(),
  kind: z.enum(['decision', 'why', 'problem', 'todo', 'question', 'context']),
  half: Half,
  answers: z.array(z.strictObject({ session: z.string(), turn: z.int().nonnegative() })).nonempty(),
});

function readSet<T>(file: string, line: z.ZodType<T>): T[] {
  return readFileSync(join('test', 'eval', 'sets', file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((text) => line.parse(JSON.parse(text)));
}
