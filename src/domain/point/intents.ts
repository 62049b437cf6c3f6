import { estimateTokens, takeTokens } from '../text/tokens.ts';

/** An intent's size in estimated tokens. */
const INTENT_TOKENS = 400;

/** About 400 tokens of the user's words. */
export interface Intent {
  index: number;
  text: string;
  timestamp: string | null;
  ended_at: string | null;
}

/** What is needed to continue later; plain data. */
export interface IntentState {
  index: number;
  text: string;
  tokens: number;
  timestamp: string | null;
  ended_at: string | null;
}

export function emptyIntentState(): IntentState {
  return { index: 0, text: '', tokens: 0, timestamp: null, ended_at: null };
}

/** Adds the first 400 tokens of a user message; returns the intent that it finished, if any. */
export function addToIntents(state: IntentState, text: string, timestamp: string | null): Intent[] {
  const part = takeTokens(text, INTENT_TOKENS);
  const tokens = estimateTokens(part);
  const finished: Intent[] = [];
  if (state.tokens > 0 && state.tokens + tokens > INTENT_TOKENS) {
    finished.push(toIntent(state));
    Object.assign(state, { ...emptyIntentState(), index: state.index + 1 });
  }
  state.text = state.text === '' ? part : `${state.text}\n${part}`;
  state.tokens += tokens;
  state.timestamp ??= timestamp;
  state.ended_at = timestamp ?? state.ended_at;
  return finished;
}

/** The unfinished intent; null when there is none. */
export function openIntent(state: IntentState): Intent | null {
  return state.text === '' ? null : toIntent(state);
}

function toIntent(state: IntentState): Intent {
  return { index: state.index, text: state.text, timestamp: state.timestamp, ended_at: state.ended_at };
}
