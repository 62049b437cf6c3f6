import type { LaterView } from '../../../domain/memory/memory-result.ts';
import { quotedText } from '../../../domain/memory/recall/excerpt.ts';
import { objectionTo } from '../../../domain/memory/recall/objection.ts';
import type { Quotation } from '../../../domain/memory/recall/rank-statements.ts';
import type { SaidMessage } from '../../../domain/memory/recall/read-statements.ts';
import type { IdeaPayload } from '../../../domain/point/point.ts';
import { coverage } from '../../../domain/search/coverage.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { RelatedIdeas } from '../related-ideas.ts';

interface Asked {
  stems: Map<string, number>;
  ideas: IdeaPayload[];
  related: RelatedIdeas;
}

interface Quoted {
  session_id: string;
  quotation: Quotation;
  idea: IdeaPayload | null;
  /** The conversation that it is from. */
  messages: SaidMessage[];
  /** The turns of its session that the user took back. */
  rewound: number[];
}

/** What is said after a quotation that it may not hold; null if nothing is known. */
export function laterOn(quoted: Quoted, asked: Asked, tokenizer: LexicalTokenizer): LaterView | null {
  const { session_id, quotation, messages } = quoted;
  const instead = takenBack(quoted);
  if (instead !== null) return { ...instead, why: 'taken back', session_id, session_title: undefined };
  const objection = objectionTo(quotation.message, messages);
  if (objection !== null) return { ...objection, session_id, session_title: undefined };
  const idea = workedOn(quoted, asked, tokenizer);
  if (idea === null) return null;
  const { turn, timestamp, content } = idea;
  return {
    why: 'continued',
    session_id: idea.session_id,
    session_title: undefined,
    turn,
    timestamp,
    text: content,
  };
}

/** The prompt that took the place of a turn that the user took back, or its own; null if the turn stands. */
function takenBack({
  quotation: { message, prompt },
  messages,
  rewound,
}: Quoted): Pick<LaterView, 'turn' | 'timestamp' | 'text'> | null {
  const { turn } = message;
  if (turn === null || !rewound.includes(turn)) return null;
  const next = messages.find(
    (one) => one.by === 'user' && !one.isReply && (one.turn ?? 0) > turn && !rewound.includes(one.turn ?? 0),
  );
  const { timestamp, statements } = next ?? prompt ?? message;
  return { turn: next?.turn ?? turn, timestamp, text: statements[0]?.text ?? '' };
}

/** What a later session did about a state that was to end. */
function workedOn(
  { session_id, quotation, idea }: Quoted,
  asked: Asked,
  tokenizer: LexicalTokenizer,
): IdeaPayload | null {
  if (idea === null || !STATE.test(quotedText(quotation))) return null;
  const later = new Set(
    asked.related
      .of(idea)
      .filter(({ kind, reversed }) => kind === 'builds_on' && reversed)
      .map((one) => one.idea.session_id),
  );
  const [best] = asked.ideas
    .filter((one) => one.session_id !== session_id && later.has(one.session_id))
    .map((one) => ({ one, covers: coverage([one.content], asked.stems, tokenizer) }))
    .sort((a, b) => b.covers - a.covers || b.one.turn - a.one.turn);
  return best?.one ?? null;
}

const STATE = /\b(?:still|not yet|until|currently|for now|remains?|pending|yet to)\b/i;
