import { sha256 } from '../text/hash.ts';
import { addCommit, beginGit, type CommitsDraft, endGit, followProcess } from './draft-commits.ts';
import { languageOfFile, languagesShown } from './languages.ts';
import type { Outcome } from './session.ts';
import {
  addGivenTitle,
  addMessageTitle,
  addPlanTitle,
  endPlan,
  rewindTitles,
  type TitleSources,
} from './title-sources.ts';
import { isPrompt, type TranscriptEvent } from './transcript-event.ts';

/** Maximum number of files in a session's record. */
const MAX_FILES = 500;
const MAX_QUEUED = 20;
const MAX_PLACES = 200;

/** The state of reading a transcript; plain data, stored between two reads of a growing file. */
export interface SessionDraft extends CommitsDraft {
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
  /** Id of the latest call; absent before the first. */
  lastCall?: string;
  inheritedMessages: number;
  inheritedTurns: number;
  /** Number of messages that only query smart-fork or repeat its answer. */
  ownMessages?: number;
  files: string[];
  /** Of the files that were changed and the code that was shown; absent if there is none. */
  languages?: string[];
  parentId: string | null;
  /** The session in which the conversation goes on; absent until the transcript names one. */
  continuedIn?: string;
  /** Those in which it went on before that: the user came back. */
  continuedBefore?: string[];
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
      if (!event.inherited) addCommit(draft, event);
      return false;
    case 'plan':
      addPlanTitle(draft.titles, event);
      return false;
    case 'result':
      if (event.inherited) return false;
      for (const branch of endGit(draft, event, draft.places?.branches)) setBranch(draft, branch);
      endPlan(draft.titles, event);
      return false;
    case 'process':
      followProcess(draft, event);
      return false;
    case 'title':
      addGivenTitle(draft.titles, event);
      return false;
    case 'context':
      addContext(draft, event);
      return false;
    case 'continued':
      addContinuation(draft, event.sessionId);
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

/** Adds an edit or a commit of a subagent. When it was made is not known: an edit counts as committed if the session committed. */
export function addOfSubagent(draft: SessionDraft, event: TranscriptEvent): void {
  const { edits } = draft;
  addEvent(draft, event);
  if (event.kind === 'file' && draft.editsCommitted !== undefined)
    draft.editsCommitted += draft.edits - edits;
}

export function outcomeOf(draft: SessionDraft): Outcome {
  const { edits, editsCommitted = 0, commits } = draft;
  if (edits > editsCommitted) return 'edited';
  if (commits.length > 0) return 'committed';
  if (edits > 0) return 'edited';
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
    // A patch of several files is one call, told with each file.
    if (!event.call || event.call !== draft.lastCall) draft.toolCalls += 1;
    if (event.call) draft.lastCall = event.call;
    beginGit(draft, event);
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
  if (!NOTES.test(path)) draft.edits += 1;
  addLanguages(draft, [languageOfFile(path) ?? []].flat());
  if (draft.files.length < MAX_FILES && !draft.files.includes(path)) draft.files.push(path);
}

/** Files that nobody commits: plans and temporary files, outside the session's folder. */
const NOTES = /^(?:\/private)?\/(?:tmp|var\/folders)\/|[\\/]\.claude[\\/]plans[\\/]/;

function addLanguages(draft: SessionDraft, languages: string[]): void {
  if (languages.length > 0) draft.languages = [...new Set([...(draft.languages ?? []), ...languages])].sort();
}

function addContext(draft: SessionDraft, event: Extract<TranscriptEvent, { kind: 'context' }>): void {
  touchTime(draft, event.timestamp ?? null);
  if (event.team === true) draft.isTeam = true;
  if (event.cwd && (draft.workingDirectory === null || event.relocated)) draft.workingDirectory = event.cwd;
  if (event.branch) setBranch(draft, event.branch);
  addPlace(draft, event);
  if (event.remote) draft.remoteUrl = event.remote;
  if (event.model) draft.model = event.model;
  if (event.version) draft.agentVersion = event.version;
}

/** Some agents name the branch only at the start: then it is what the session switched to. */
function setBranch(draft: SessionDraft, branch: string): void {
  draft.branch = branch;
  addPlace(draft, { branch });
}

function addContinuation(draft: SessionDraft, sessionId: string): void {
  const before = [...(draft.continuedBefore ?? []), draft.continuedIn ?? []].flat();
  draft.continuedIn = sessionId;
  const others = [...new Set(before)].filter((id) => id !== sessionId).slice(-MAX_PLACES);
  if (others.length > 0) draft.continuedBefore = others;
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
