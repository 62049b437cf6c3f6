import { estimateTokens, takeTokens } from '../text/tokens.ts';

/** Size of an intent in estimated tokens. */
const INTENT_TOKENS = 400;
/** Maximum number of intents per message. */
const MAX_PARTS = 8;
/** Maximum number of characters per estimated token. */
const MAX_CHARACTERS = 4;

/** About 400 tokens of the user's words. */
export interface Intent {
  index: number;
  text: string;
  timestamp: string | null;
  ended_at: string | null;
}

/** What the reader needs to continue later; plain data. */
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

/** Adds a user message and returns the intents that it completed. Drops the end of a very long message, which is mostly pasted text. */
export function addToIntents(state: IntentState, text: string, timestamp: string | null): Intent[] {
  return partsOf(text).flatMap((part) => addPart(state, part, timestamp));
}

function partsOf(text: string): string[] {
  const parts = [takeTokens(text, INTENT_TOKENS)];
  let at = parts[0]?.length ?? 0;
  while (parts.length < MAX_PARTS) {
    const rest = text.slice(at, at + INTENT_TOKENS * MAX_CHARACTERS);
    const part = takeTokens(rest.trimStart(), INTENT_TOKENS);
    if (part === '') break;
    parts.push(part);
    at += rest.length - rest.trimStart().length + part.length;
  }
  return parts;
}

function addPart(state: IntentState, part: string, timestamp: string | null): Intent[] {
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
