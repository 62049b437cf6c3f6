import type { Span } from '../../session/ideas.ts';
import { tellingTitle } from '../../session/title.ts';
import { clip } from '../../text/clip.ts';
import { plain } from '../text/passages.ts';
import { isProcessTalk, keyWords, sentencesOf } from '../text/sentences.ts';
import type { MemoryState, OpenSpan, Place, TopicState } from './memory-state.ts';

const MAX_SPANS = 120;
const MAX_FILES = 40;
const MAX_COMMITS = 200;
const MAX_ENTITIES = 24;
const LONGEST_SUMMARY = 700;
/** In UTF-16 units: the beginning of a prompt says what it is about. */
const LONGEST_PROMPT = 1200;
const SILENCE_MS = 4 * 60 * 60 * 1000;
/** A prompt after such a pause usually begins something else. */
const PAUSE_MS = 20 * 60 * 1000;

/** Everything that happens belongs to the open topics. A new topic begins with a prompt; earlier events may announce it. */
function stayInTopics(state: MemoryState, at: Place): OpenSpan[] {
  const { topics, time } = state;
  if (topics.path.length === 0) topics.path = [newSpan(state, null, at)];
  for (const { span } of topics.path) {
    span.lastTurn = Math.max(span.lastTurn, at.turn);
    span.lastLine = Math.max(span.lastLine, at.line);
    span.started_at ??= time;
    span.ended_at = time ?? span.ended_at;
  }
  topics.lastTime = time;
  return topics.path;
}

export function followPrompt(state: MemoryState, prompt: string, at: Place): void {
  addPrompt(state, prompt, at);
  stayInTopics(state, at);
}

/** What the agent says may tell what came out, in its first line. */
export function followAnswer(state: MemoryState, said: string, closes: boolean | undefined, at: Place): void {
  const open = stayInTopics(state, at);
  const line = said.slice(0, 400).split('\n', 1)[0] ?? '';
  if (closes === false || line.length < 20 || line.endsWith(':') || isProcessTalk(line)) return;
  for (const one of open) one.outcome = line;
}

export function followCompaction(state: MemoryState, at: Place): void {
  stayInTopics(state, at);
  state.topics.shift = 'hard';
}

/** @param commit its hash, or its subject if git did not print the hash. */
export function followCommit(state: MemoryState, commit: string, at: Place): void {
  for (const { span } of stayInTopics(state, at)) addTo(span.commits, commit, MAX_COMMITS);
}

export function followCall(state: MemoryState, packages: string[], at: Place): void {
  for (const { span } of stayInTopics(state, at))
    for (const name of packages) addTo(span.entities, name, MAX_ENTITIES);
}

/** A new folder begins another topic, a new branch another part of the topic. */
export function followContext({ topics }: MemoryState, context: { cwd?: string; branch?: string }): void {
  const { cwd, branch } = context;
  if (cwd !== undefined && cwd !== topics.folder) {
    const isElsewhere =
      topics.folder !== null && !isWithin(cwd, topics.folder) && !isWithin(topics.folder, cwd);
    if (isElsewhere) topics.shift = 'hard';
    if (topics.folder === null || isElsewhere) topics.folder = cwd;
  }
  if (branch === undefined || branch === '' || branch === topics.branch) return;
  if (topics.branch !== null && topics.shift === 'none') topics.shift = 'soft';
  topics.branch = branch;
}

export function noteFile({ topics }: MemoryState, path: string): void {
  for (const { span } of topics.path) addTo(span.files, path, MAX_FILES);
}

/** Adds an idea to the spans that are open. */
export function noteInSpans({ topics }: MemoryState, decided: string | null, entities: string[]): void {
  for (const { span, decided: all } of topics.path) {
    if (decided !== null) addTo(all, clip(decided, 140), 3);
    for (const entity of entities) addTo(span.entities, entity, MAX_ENTITIES);
  }
}

/** The open spans as they would be if the session ended here. */
export function openSpans({ topics }: MemoryState): Span[] {
  return topics.path.map(finished);
}

function addPrompt(state: MemoryState, prompt: string, at: Place): void {
  const { topics } = state;
  const may = saysLittle(prompt) ? 'none' : shiftAt(state, prompt);
  const isNamed = topics.path.every(
    ({ span, request }) => span.name !== '' && request !== '' && !request.endsWith(':'),
  );
  const title =
    may === 'none' && topics.path.length > 0 && isNamed ? '' : tellingTitle(prompt.slice(0, LONGEST_PROMPT));
  const shift = title === '' ? 'none' : may;
  if (shift === 'hard') closePath(state, 0);
  else if (shift === 'soft') beginPart(state, at);
  if (topics.path.length === 0) topics.path = [newSpan(state, null, at)];
  topics.shift = 'none';
  for (const one of topics.path) {
    if (one.span.name === '') one.span.name = title;
    if (one.request === '' && title !== '')
      one.request = clip(plain(prompt.slice(0, LONGEST_PROMPT).split('\n\n', 1)[0] ?? ''), 200);
    if (one.request.endsWith(':')) one.request = title;
  }
}

/** The beginning tells of most prompts; its last word may be cut off. */
function saysLittle(prompt: string): boolean {
  return keyWords(prompt.slice(0, 100)).size < 4 && keyWords(prompt.slice(0, LONGEST_PROMPT)).size < 3;
}

function shiftAt({ topics, time }: MemoryState, prompt: string): TopicState['shift'] {
  if (topics.path.length === 0 || topics.spans >= MAX_SPANS) return 'none';
  if (topics.shift === 'hard') return 'hard';
  const silence =
    topics.lastTime === null || time === null ? 0 : Date.parse(time) - Date.parse(topics.lastTime);
  if (silence >= SILENCE_MS) return 'hard';
  return topics.shift === 'soft' || silence >= PAUSE_MS || TRANSITION.test(prompt) ? 'soft' : 'none';
}

const TRANSITION =
  /^(?:(?:ok(?:ay)?|great|good|thanks|perfect|now|alright)[\s,.!]+)*(?:let(?:'|’)?s (?:move on|turn to|go on to|switch to|talk about)|moving on|next(?: up)?[,:]|another (?:thing|issue|topic|question)|back to\b|new (?:topic|task|feature)|separately\b|different (?:topic|question)|unrelated\b|Implement the following plan)/i;

/** The first part is created together with the second. */
function beginPart(state: MemoryState, at: Place): void {
  const { topics } = state;
  const [root] = topics.path;
  if (root === undefined) return;
  if (topics.path.length === 1) {
    const first: OpenSpan = structuredClone(root);
    first.span = { ...first.span, index: topics.spans, parent: root.span.index, depth: 1 };
    topics.spans += 1;
    topics.path.push(first);
  }
  closePath(state, 1);
  topics.path.push(newSpan(state, root.span.index, at));
}

function closePath(state: MemoryState, from: number): void {
  const { topics } = state;
  const closed = topics.path.splice(from);
  topics.changed.push(...closed.map(finished));
}

function newSpan(state: MemoryState, parent: number | null, at: Place): OpenSpan {
  const { topics, time } = state;
  const span: Span = {
    index: topics.spans,
    parent,
    depth: parent === null ? 0 : 1,
    name: '',
    summary: '',
    firstTurn: at.turn,
    lastTurn: at.turn,
    firstLine: at.line,
    lastLine: at.line,
    started_at: time,
    ended_at: time,
    branch: topics.branch,
    files: [],
    commits: [],
    entities: [],
  };
  topics.spans += 1;
  return { span, request: '', decided: [], outcome: '' };
}

function finished({ span, request, decided, outcome }: OpenSpan): Span {
  const last = clip(sentencesOf(plain(outcome))[0] ?? '', 200);
  const parts = [
    request,
    decided.length > 0 ? `Decided: ${decided.join('; ')}` : '',
    last === '' ? '' : `Outcome: ${last}`,
  ];
  const summary = clip(parts.filter((part) => part !== '').join(' · '), LONGEST_SUMMARY);
  return { ...span, name: span.name || last || '(no topic)', summary };
}

function addTo<T>(list: T[], item: T, most: number): void {
  if (list.length < most && !list.includes(item)) list.push(item);
}

function isWithin(folder: string, parent: string): boolean {
  return (
    folder === parent ||
    folder.startsWith(`${parent.replace(/(?<![\\/])[\\/]+$/, '')}/`) ||
    folder.startsWith(`${parent}\\`)
  );
}
