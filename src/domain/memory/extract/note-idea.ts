import type { Evidence, Idea, IdeaKind, Origin, SessionRelation } from '../../session/ideas.ts';
import { clip } from '../../text/clip.ts';
import { plain } from '../text/passages.ts';
import { entitiesOf } from './find-entities.ts';
import { noteInSpans } from './follow-topics.ts';
import type { MemoryState, Place } from './memory-state.ts';

export const MAX_IDEAS = 400;
/** How many todos, questions and problems are followed; beyond that, no further open one is noted. */
export const MAX_OPEN = 48;
/** So that one turn does not exhaust the session's limit. */
const MAX_IN_TURN = 40;
const MAX_DECISIONS = 12;
const LONGEST_DECISION = 240;
const LONGEST_CONTENT = 600;
const LONGEST_QUOTE = 300;
/** Anything longer is cut off later anyway. */
const LONGEST_READ = 4000;

export interface NewIdea {
  kind: IdeaKind;
  content: string;
  /** Verbatim text of the transcript; defaults to the content. */
  quote?: string;
  evidence: Evidence;
  confidence: number;
  isOpen?: boolean;
  /** Not known to be open, but later events may close it. */
  follows?: boolean;
  options?: string[];
  entities?: string[];
  relations?: SessionRelation[];
  timestamp?: string | null;
  /** Defaults to `transcript`. */
  origin?: Origin;
}

/** Notes an idea and returns its index; null if it is known or meaningless, or if there are too many. */
export function noteIdea(state: MemoryState, at: Place, { content, quote, ...idea }: NewIdea): number | null {
  const text = limit(plain(content.slice(0, LONGEST_READ)), LONGEST_CONTENT);
  const isOpen = idea.isOpen ?? null;
  if (text === '' || state.ideas >= MAX_IDEAS || state.turn.ideas >= MAX_IN_TURN) return null;
  const follows = (isOpen === true || idea.follows === true) && hasRoom(state);
  if (isOpen === true && !follows) return null;
  const key = hashOf(`${idea.kind} ${text.toLowerCase()}`);
  if (state.seen.includes(key)) return null;
  state.seen.push(key);
  const noted: Idea = {
    index: state.ideas,
    kind: idea.kind,
    content: text,
    confidence: idea.confidence,
    isOpen,
    span: state.topics.path.at(-1)?.span.index ?? 0,
    turn: at.turn,
    line: at.line,
    quote: quoteOf(quote ?? content),
    evidence: idea.evidence,
    origin: idea.origin ?? 'transcript',
    options: idea.options !== undefined && idea.options.length > 0 ? idea.options : undefined,
    entities: entitiesOf(state, text, idea.entities ?? []),
    relations: idea.relations ?? [],
    timestamp: idea.timestamp ?? state.time,
  };
  state.ideas += 1;
  state.turn.ideas += 1;
  state.changed.push(noted);
  if (follows) state.open.push(noted);
  if (noted.kind === 'decision') {
    const decision = { index: noted.index, content: clip(text, LONGEST_DECISION) };
    state.decisions = [...state.decisions.slice(-MAX_DECISIONS + 1), decision];
  }
  noteInSpans(state, noted.kind === 'decision' ? text : null, noted.entities);
  return noted.index;
}

/** Makes room for an idea to follow: one that is not known to be open is no longer followed. */
function hasRoom({ open }: MemoryState): boolean {
  if (open.length < MAX_OPEN) return true;
  const at = open.findIndex(({ isOpen }) => isOpen === null);
  if (at >= 0) open.splice(at, 1);
  return at >= 0;
}

/** An open idea that the conversation left behind: nobody knows whether it is open. */
export function leaveIdea(state: MemoryState, index: number): void {
  const idea = state.open.find((one) => one.index === index);
  if (idea === undefined || idea.isOpen === null) return;
  idea.isOpen = null;
  touch(state, idea);
}

/** A step of the plan that the agent took up in its list. */
export function followStep(state: MemoryState, step: Idea): void {
  step.isOpen = true;
  step.evidence = 'todo-list';
  touch(state, step);
}

/** Closes an idea. One that is no longer followed stays as it is. */
export function closeIdea(state: MemoryState, index: number | null): void {
  const at = state.open.findIndex((idea) => idea.index === index);
  const idea = at < 0 ? undefined : state.open.splice(at, 1)[0];
  if (idea === undefined) return;
  idea.isOpen = false;
  touch(state, idea);
}

/** Notes that an idea changed. */
export function touch(state: MemoryState, idea: Idea): void {
  const at = state.changed.findIndex(({ index }) => index === idea.index);
  if (at < 0) state.changed.push(idea);
  else state.changed[at] = idea;
}

/** A contiguous part of the text, so that it can be found there verbatim. */
function quoteOf(text: string): string {
  const line = text.slice(0, LONGEST_READ).trim().split('\n', 1)[0] ?? '';
  return limit(line, LONGEST_QUOTE).replace(/…$/, '').trimEnd();
}

/** Cuts by UTF-8 length: a point's texts are limited in bytes. */
function limit(text: string, bytes: number): string {
  const clipped = clip(text, bytes);
  if (clipped.length * 3 <= bytes) return clipped;
  const size = Buffer.byteLength(clipped);
  return size <= bytes ? clipped : clip(clipped, Math.floor((clipped.length * bytes) / size) - 1);
}

function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
