import type { TranscriptEvent } from '../session/transcript-event.ts';

/** What is known about the turn that may go on in the next read. */
export interface OwnTurnState {
  /** Length of the prompt; 0 before the first one, and for a call of smart-fork typed by the user. */
  prompt: number;
  /** Length of the agent's texts. */
  texts: number;
  /** Whether smart-fork was called. */
  called: boolean;
  /** Whether it was called since the last piece of work: what the agent says next may repeat the answer. */
  relaying: boolean;
  /** Whether anything but smart-fork was called. */
  worked: boolean;
  /** Whether a text names a session or a command as smart-fork prints them. */
  marked: boolean;
  /** Whether the turn before was only about smart-fork's answers. */
  followsOwn: boolean;
}

export const BEFORE_FIRST_TURN: OwnTurnState = {
  ...{ prompt: 0, texts: 0, called: false, relaying: false },
  ...{ worked: false, marked: false, followsOwn: false },
};

/**
 * Marks the messages in which a session was searched for, and the answers the agent repeated, as smart-fork's own: `own` is set.
 * Otherwise a session that only searched would be found instead of the one it searched for.
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

/** Longer prompts say more than what to look for. */
const LONGEST_QUESTION = 400;
/** "The second one", "fork it", "thanks". */
const LONGEST_REPLY = 60;
const LONGEST_REPLY_ANSWER = 600;

/** The first part continues the turn that is open. */
function splitTurns<E extends TranscriptEvent>(events: E[]): E[][] {
  const turns: E[][] = [[]];
  for (const event of events) {
    if (beginsTurn(event)) turns.push([]);
    turns.at(-1)?.push(event);
  }
  return turns;
}

function beginsTurn(event: TranscriptEvent): boolean {
  return event.kind === 'own' ? event.by === 'user' : event.kind === 'message' && event.role === 'user';
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
  // Only asked of a turn that follows an own one: searching every answer for marks takes longer than reading it.
  return { ...state, texts, marked: state.marked || (state.followsOwn && MARKS.test(event.text)) };
}

/** Tools that only prepare a call, ask the user or keep a list. */
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

/** Ids and commands in smart-fork's answers. A hash of a commit has another length. */
const MARKS =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8}\b|--fork-session\b|\bclaude --resume\b|\bcodex (?:fork|resume)\b|[/$](?:smart-fork:)?fork-session\b|\bsmart-fork (?:fork|retrieve|show|restore)\b/;
