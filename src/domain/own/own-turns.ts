import { isPrompt, type TranscriptEvent } from '../session/transcript-event.ts';

/** The state of the open turn, which the next read may continue. */
export interface OwnTurnState {
  /** Length of the prompt in UTF-16 units; 0 before the first prompt, and if the user's prompt is a call of smart-fork. */
  prompt: number;
  /** Length of the agent's texts in UTF-16 units. */
  texts: number;
  /** Whether smart-fork was called. */
  called: boolean;
  /** Whether smart-fork was called and nothing else since: the agent's next words may repeat the answer. */
  relaying: boolean;
  /** Whether anything but smart-fork was called. */
  worked: boolean;
  /** Whether a text contains a session id or a command as printed by smart-fork. */
  marked: boolean;
  /** Whether the previous turn was only about smart-fork's answers. */
  followsOwn: boolean;
}

export const BEFORE_FIRST_TURN: OwnTurnState = {
  prompt: 0,
  texts: 0,
  called: false,
  relaying: false,
  worked: false,
  marked: false,
  followsOwn: false,
};

/**
 * Sets `own` on the messages with which a session was searched for, and on the agent's repetitions of the answers. Otherwise a session
 * that only searched would be found instead of the one it searched for.
 *
 * Returns null if `before` turns out to have been judged too early: the transcript must then be read from its beginning.
 */
export function markOwnTurns<E extends TranscriptEvent>(
  events: E[],
  before: OwnTurnState,
): { events: E[]; after: OwnTurnState } | null {
  const marked: E[] = [];
  let state = before;
  for (const [index, turn] of splitTurns(events).entries()) {
    const start = index === 0 ? before : nextTurn(turn[0], state);
    const end = turn.reduce(addToTurn, start);
    const goesOn = index === 0 && before !== BEFORE_FIRST_TURN;
    if (goesOn && isOwnTurn(start) !== isOwnTurn(end)) return null;
    marked.push(...markTurn(turn, start, isOwnTurn(end)));
    state = end;
  }
  return { events: marked, after: state };
}

/** In UTF-16 units. Longer prompts do more than describe a search. */
const LONGEST_QUESTION = 400;
/** "The second one", "fork it", "thanks". */
const LONGEST_REPLY = 60;
const LONGEST_REPLY_ANSWER = 600;

/** The first part continues the open turn. */
function splitTurns<E extends TranscriptEvent>(events: E[]): E[][] {
  const turns: E[][] = [[]];
  for (const event of events) {
    if (beginsTurn(event)) turns.push([]);
    turns.at(-1)?.push(event);
  }
  return turns;
}

function beginsTurn(event: TranscriptEvent): boolean {
  return event.kind === 'own' ? event.by === 'user' : isPrompt(event);
}

function nextTurn(first: TranscriptEvent | undefined, last: OwnTurnState): OwnTurnState {
  const prompt = first?.kind === 'message' ? first.text.length : 0;
  return { ...BEFORE_FIRST_TURN, prompt, followsOwn: isOwnTurn(last) };
}

function addToTurn(state: OwnTurnState, event: TranscriptEvent): OwnTurnState {
  if (event.kind === 'own') return { ...state, called: true, relaying: state.relaying || event.answers };
  if (event.kind !== 'message' || event.role === 'user') return state;
  if (event.role === 'tool')
    return NO_WORK.test(event.text) ? state : { ...state, worked: true, relaying: false };
  const texts = state.texts + event.text.length;
  // Only checked after an own turn: searching every answer for marks takes longer than reading it.
  return { ...state, texts, marked: state.marked || (state.followsOwn && MARKS.test(event.text)) };
}

/** Tools that only prepare a call, ask the user or maintain a list. */
const NO_WORK =
  /^(?:ToolSearch|AskUserQuestion|TodoWrite|request_user_input|update_plan|ListMcpResources\w*)\b/;

function isOwnTurn({ prompt, texts, called, worked, marked, followsOwn }: OwnTurnState): boolean {
  if (worked) return false;
  if (called) return prompt <= LONGEST_QUESTION;
  if (!followsOwn || prompt > LONGEST_QUESTION) return false;
  return marked || (prompt <= LONGEST_REPLY && texts <= LONGEST_REPLY_ANSWER);
}

function markTurn<E extends TranscriptEvent>(turn: E[], start: OwnTurnState, isOwn: boolean): E[] {
  let state = start;
  return turn.map((event) => {
    const { relaying } = state;
    state = addToTurn(state, event);
    if (event.kind !== 'message') return event;
    const isRelay = relaying && event.role === 'assistant' && MARKS.test(event.text);
    return isOwn || isRelay ? { ...event, own: true } : event;
  });
}

/** Ids and commands in smart-fork's answers. Commit hashes have a different length. */
const MARKS =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8}\b|--fork-session\b|\bclaude --resume\b|\bcodex (?:fork|resume)\b|[/$](?:smart-fork:)?fork-session\b|\bsmart-fork (?:fork|retrieve|show|restore)\b/;
