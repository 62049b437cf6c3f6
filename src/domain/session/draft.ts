import { sha256 } from '../text/hash.ts';
import { commitSubject } from './commit-subject.ts';
import { languageOfFile, languagesShown } from './languages.ts';
import type { Commit, Outcome } from './session.ts';
import {
  addGivenTitle,
  addMessageTitle,
  addPlanTitle,
  endPlan,
  rewindTitles,
  type TitleSources,
} from './title-sources.ts';
import { isPrompt, type TranscriptEvent } from './transcript-event.ts';

/** Maximum number of files and of commits in a session's record. */
const MAX_FILES = 500;
const MAX_COMMITS = 200;
const MAX_COMMITTING = 8;
const MAX_QUEUED = 20;
const MAX_PLACES = 200;

/** The state of reading a transcript; plain data, stored between two reads of a growing file. */
export interface SessionDraft {
  workingDirectory: string | null;
  branch: string | null;
  /** URL of the git remote, if the transcript contains it. */
  remoteUrl: string | null;
  model: string | null;
  agentVersion: string | null;
  titles: TitleSources;
  startedAt: string | null;
  endedAt: string | null;
  userMessages: number;
  assistantMessages: number;
  toolCalls: number;
  inheritedMessages: number;
  inheritedTurns: number;
  /** Number of messages that only query smart-fork or repeat its answer. */
  ownMessages?: number;
  edits: number;
  files: string[];
  /** Of the files that were changed and the code that was shown; absent if there is none. */
  languages?: string[];
  commits: Commit[];
  /** Set if a `git commit` succeeded without a report, as with wrappers of git. */
  committed?: true;
  /** Ids of `git commit` calls that have no result yet. */
  committing?: string[];
  parentId: string | null;
  /** The session in which the conversation goes on; absent until the transcript names one. */
  continuedIn?: string;
  /** Queued prompts that may still appear a second time. */
  queued: string[];
  /** The first characters of the ids of the prompts, by turn; empty for a prompt without one. */
  promptIds?: string[];
  /** Turns, from 0, that the user took back; absent if there are none. */
  rewound?: number[];
  /** The session belongs to a team of agents. */
  isTeam?: true;
  /** All places where the agent worked; absent before the first. */
  places?: Places;
}

interface Places {
  folders: string[];
  branches: string[];
}

export function emptyDraft(): SessionDraft {
  return {
    workingDirectory: null,
    branch: null,
    remoteUrl: null,
    model: null,
    agentVersion: null,
    titles: { custom: null, ai: null, summary: null, prompt: null },
    startedAt: null,
    endedAt: null,
    userMessages: 0,
    assistantMessages: 0,
    toolCalls: 0,
    inheritedMessages: 0,
    inheritedTurns: 0,
    edits: 0,
    files: [],
    commits: [],
    parentId: null,
    queued: [],
  };
}

/** Adds an event; returns true if it is a message of the session's own. */
export function addEvent(draft: SessionDraft, event: TranscriptEvent): boolean {
  switch (event.kind) {
    case 'message':
      return addMessage(draft, event);
    case 'file':
      if (!event.inherited) addFile(draft, event.path);
      return false;
    case 'commit':
      if (!event.inherited) addCommit(draft, event.commit);
      return false;
    case 'plan':
      addPlanTitle(draft.titles, event);
      return false;
    case 'result':
      if (event.inherited) return false;
      endCommit(draft, event);
      endPlan(draft.titles, event);
      return false;
    case 'title':
      addGivenTitle(draft.titles, event);
      return false;
    case 'context':
      addContext(draft, event);
      return false;
    case 'continued':
      draft.continuedIn = event.sessionId;
      return false;
    case 'rewound':
      draft.rewound = 'last' in event ? rewindLast(draft, event.last) : rewindMessages(draft, event.messages);
      rewindTitles(draft.titles, draft.rewound);
      return false;
    case 'parent':
      draft.parentId = event.sessionId;
      return false;
    default:
      return false;
  }
}

export function outcomeOf(draft: SessionDraft): Outcome {
  if (draft.commits.length > 0 || draft.committed === true) return 'committed';
  if (draft.edits > 0) return 'edited';
  return draft.userMessages > 0 ? 'discussed' : 'empty';
}

/** The name that the user gave the session. A team's lead calls its members by single words, which say nothing about a session. */
export function givenName({ titles, isTeam }: SessionDraft): string | null {
  const { custom, name = null } = titles;
  return custom ?? (isTeam === true && name !== null && /^\p{L}+$/u.test(name) ? null : name);
}

function addMessage(draft: SessionDraft, event: Extract<TranscriptEvent, { kind: 'message' }>): boolean {
  touchTime(draft, event.timestamp);
  const turn = (draft.promptIds?.length ?? 0) - (event.role === 'user' ? 0 : 1);
  if (event.own !== true && event.reply === undefined) addMessageTitle(draft.titles, event, turn);
  if (event.inherited) {
    if (event.role !== 'tool') draft.inheritedMessages += 1;
    if (isPrompt(event) && !isRepeat(draft, event)) {
      draft.inheritedTurns += 1;
      notePrompt(draft, event.uuid);
    }
    return false;
  }
  const isFirst = draft.userMessages + draft.assistantMessages + draft.toolCalls === 0;
  // A fork begins with its first message of its own, not with a copied one.
  if (isFirst && draft.inheritedMessages > 0 && event.timestamp !== null) draft.startedAt = event.timestamp;
  if (isPrompt(event) && isRepeat(draft, event)) return false;
  if (isPrompt(event)) notePrompt(draft, event.uuid);
  if (event.own === true) {
    draft.ownMessages = (draft.ownMessages ?? 0) + 1;
  } else if (event.role === 'user') {
    draft.userMessages += 1;
    addLanguages(draft, languagesShown(event.text));
  } else if (event.role === 'assistant') {
    draft.assistantMessages += 1;
    addLanguages(draft, languagesShown(event.text));
  } else {
    draft.toolCalls += 1;
    beginCommit(draft, event);
  }
  return true;
}

const ID_LENGTH = 12;

/** Of a hash: ids often begin alike. Empty for a prompt without an id. */
function shortId(uuid: string | null): string {
  return uuid === null || uuid === '' ? '' : sha256(uuid).slice(-ID_LENGTH);
}

function notePrompt(draft: SessionDraft, uuid: string | null): void {
  draft.promptIds ??= [];
  draft.promptIds.push(shortId(uuid));
}

function rewindMessages({ promptIds = [] }: SessionDraft, messages: string[]): number[] | undefined {
  const gone = new Set(messages.map(shortId));
  const turns: number[] = [];
  // A prompt without an id, taken from the queue, belongs to the turn that it interrupted.
  for (const [turn, id] of promptIds.entries())
    if (id === '' ? turns.at(-1) === turn - 1 : gone.has(id)) turns.push(turn);
  return turns.length === 0 ? undefined : turns;
}

function rewindLast({ promptIds = [], rewound = [] }: SessionDraft, last: number): number[] | undefined {
  const live = [...promptIds.keys()].filter((turn) => !rewound.includes(turn));
  const gone = live.slice(Math.max(0, live.length - last));
  return [...rewound, ...gone].sort((a, b) => a - b);
}

function beginCommit(
  draft: SessionDraft,
  { call, text }: Extract<TranscriptEvent, { kind: 'message' }>,
): void {
  if (call === undefined || commitSubject(text) === '') return;
  draft.committing = [...(draft.committing ?? []).slice(-MAX_COMMITTING + 1), call];
}

function endCommit(
  draft: SessionDraft,
  { call, failed, error }: Extract<TranscriptEvent, { kind: 'result' }>,
): void {
  if (draft.committing?.includes(call) !== true) return;
  const left = draft.committing.filter((one) => one !== call);
  if (left.length > 0) draft.committing = left;
  else delete draft.committing;
  // Wrappers and pipes hide that git failed, but not what it printed.
  if (!failed && error === null) draft.committed = true;
}

/**
 * A queued prompt is emitted when it is queued, and possibly again when the agent takes it; the repetition does not count. Any other
 * prompt shows that the queue is empty.
 */
function isRepeat(draft: SessionDraft, event: Extract<TranscriptEvent, { kind: 'message' }>): boolean {
  const isEnqueued = event.queued === true && event.uuid === null;
  const known = isEnqueued ? -1 : draft.queued.indexOf(event.text);
  if (isEnqueued) draft.queued = [...draft.queued.slice(-MAX_QUEUED + 1), event.text];
  else if (known >= 0) draft.queued = draft.queued.toSpliced(known, 1);
  else if (event.queued !== true) draft.queued = [];
  return known >= 0;
}

function addFile(draft: SessionDraft, path: string): void {
  draft.edits += 1;
  addLanguages(draft, [languageOfFile(path) ?? []].flat());
  if (draft.files.length < MAX_FILES && !draft.files.includes(path)) draft.files.push(path);
}

function addLanguages(draft: SessionDraft, languages: string[]): void {
  if (languages.length > 0) draft.languages = [...new Set([...(draft.languages ?? []), ...languages])].sort();
}

function addCommit(draft: SessionDraft, commit: Commit): void {
  const known = draft.commits.some((other) => other.hash === commit.hash);
  if (!known && draft.commits.length < MAX_COMMITS) draft.commits.push(commit);
}

function addContext(draft: SessionDraft, event: Extract<TranscriptEvent, { kind: 'context' }>): void {
  touchTime(draft, event.timestamp ?? null);
  if (event.team === true) draft.isTeam = true;
  if (event.cwd && (draft.workingDirectory === null || event.relocated)) draft.workingDirectory = event.cwd;
  if (event.branch) draft.branch = event.branch;
  addPlace(draft, event);
  if (event.remote) draft.remoteUrl = event.remote;
  if (event.model) draft.model = event.model;
  if (event.version) draft.agentVersion = event.version;
}

function addPlace(draft: SessionDraft, { cwd, branch }: { cwd?: string; branch?: string }): void {
  draft.places ??= { folders: [], branches: [] };
  const { folders, branches } = draft.places;
  if (cwd && !folders.includes(cwd) && folders.length < MAX_PLACES) folders.push(cwd);
  if (branch && !branches.includes(branch) && branches.length < MAX_PLACES) branches.push(branch);
}

function touchTime(draft: SessionDraft, timestamp: string | null): void {
  if (timestamp === null) return;
  if (draft.startedAt === null || timestamp < draft.startedAt) draft.startedAt = timestamp;
  if (draft.endedAt === null || timestamp > draft.endedAt) draft.endedAt = timestamp;
}
