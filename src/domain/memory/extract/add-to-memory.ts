import type { TranscriptEvent } from '../../session/transcript-event.ts';
import { closeNamed } from './evidence/finish-turn.ts';
import { addCall, addProcess, addResult } from './evidence/read-calls.ts';
import { addAnswered, addAsked } from './evidence/read-choices.ts';
import { addCommit, addPullRequest } from './evidence/read-commits.ts';
import { addMarked } from './evidence/read-markers.ts';
import { addPlan } from './evidence/read-plans.ts';
import { addPrompt } from './evidence/read-prompts.ts';
import { addRemembered } from './evidence/read-remembered.ts';
import { addReport } from './evidence/read-reports.ts';
import { addSummary } from './evidence/read-summaries.ts';
import { addTodos } from './evidence/read-todos.ts';
import { packagesOf } from './find-entities.ts';
import {
  followAnswer,
  followCall,
  followCommit,
  followCompaction,
  followContext,
  followPrompt,
  noteFile,
} from './follow-topics.ts';
import { emptyTurn, type MemoryState, type Place } from './memory-state.ts';
import { closeIdea, leaveIdea } from './note-idea.ts';

/**
 * Adds a transcript event. The result depends only on the events, however they are split over reads. Events copied from a parent and
 * smart-fork's own messages add nothing.
 */
export function addToMemory(state: MemoryState, event: TranscriptEvent, at: Place): void {
  if ('inherited' in event && event.inherited) return;
  switch (event.kind) {
    case 'message':
      if (event.own !== true) addMessage(state, event, at);
      return;
    case 'context':
      if (event.timestamp !== undefined) state.time = event.timestamp;
      followContext(state, event);
      return;
    case 'file':
      state.turn.worked = true;
      noteFile(state, event.path);
      return;
    case 'commit':
      addCommit(state, event.commit, at);
      followCommit(state, event.commit.hash, at);
      return;
    case 'compaction':
      followCompaction(state, at);
      if (event.summary !== null) addSummary(state, event.summary, at);
      return;
    case 'asked':
      addAsked(state, event.call, event.questions, at);
      return;
    case 'answered':
      addAnswered(state, event.call, event.answers, at);
      return;
    case 'todos':
      addTodos(state, event.items, event.whole, at);
      return;
    case 'plan':
      if (event.call !== null) state.plans = [{ call: event.call, text: event.text, ...at }];
      return;
    case 'result':
      addVerdict(state, event);
      addResult(state, event, at);
      return;
    case 'process':
      addProcess(state, event.call, event.process);
      return;
    case 'pull request':
      addPullRequest(state, event.url, event.title, at);
      return;
    case 'remembered':
      addRemembered(state, event.idea, at);
      return;
    default:
      return;
  }
}

function addMessage(
  state: MemoryState,
  event: Extract<TranscriptEvent, { kind: 'message' }>,
  at: Place,
): void {
  state.time = event.timestamp ?? state.time;
  if (event.role === 'tool') {
    if (event.call !== undefined) addCall(state, event.call, event.text, event.git);
    // An agent that works on has its answer.
    for (const index of state.turn.asked.splice(0)) closeIdea(state, index);
    followCall(state, packagesOf(event.text), at);
  } else if (event.reply !== undefined) {
    // Questions and plans are events of their own.
    if (event.reply === 'reason') addPrompt(state, event.text, at);
  } else if (event.role === 'user') {
    beginTurn(state, at);
    followPrompt(state, event.text, at);
    closeNamed(state, event.text);
    addPrompt(state, event.text, at);
    // What the prompt did not answer, the user does not wait for.
    for (const index of state.turn.unanswered) leaveIdea(state, index);
  } else {
    followAnswer(state, event.text, event.closes, at);
    closeNamed(state, event.text);
    addMarked(state, event.text, at);
    addReport(state, event, at);
  }
}

function beginTurn(state: MemoryState, at: Place): void {
  const { questions, asked, answered } = state.turn;
  // A user who moves on has seen the answer.
  if (answered) for (const index of questions) closeIdea(state, index);
  state.turn = emptyTurn(at.turn, [...(answered ? [] : questions), ...asked]);
}

/** A rejected plan decides nothing; its replacement is presented separately. */
function addVerdict(state: MemoryState, { call, failed }: { call: string; failed: boolean }): void {
  const plan = state.plans.find((one) => one.call === call);
  if (plan === undefined) return;
  state.plans = state.plans.filter((one) => one !== plan);
  if (!failed) addPlan(state, plan.text, plan);
}
