import type { RecalledAnswer } from '../../../domain/memory/memory-result.ts';
import { excerptOf, quotedText } from '../../../domain/memory/recall/excerpt.ts';
import type { Quotation } from '../../../domain/memory/recall/rank-statements.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import { ideaId } from '../idea-view.ts';
import type { RelatedIdeas } from '../related-ideas.ts';
import {
  type AnswerDependencies,
  type Answering,
  type Asked,
  collectQuotations,
} from './collect-quotations.ts';
import { nearInMeaning } from './near-in-meaning.ts';
import { type Chosen, presentAnswers } from './present-answers.ts';
import { laterOn } from './said-later.ts';

/** The sentences of the best sessions that answer a question, best first. */
export async function findAnswers(deps: AnswerDependencies, asked: Asked): Promise<RecalledAnswer[]> {
  const ranked = await byMeaning(deps, asked.question, (await collectQuotations(deps, asked)).sort(byScore));
  const chosen: Answering[] = [];
  for (const one of ranked) {
    if (chosen.length === asked.limit) break;
    if (!chosen.some((other) => overlaps(one.quotation, other.quotation))) chosen.push(one);
  }
  const others = (best: Answering) => ranked.filter((one) => one !== best && isSameMessage(one, best));
  const sessions = await deps.store.getSessions([...new Set(chosen.map(({ session_id }) => session_id))]);
  const excerpts = chosen.map((best) => ({
    ...best,
    excerpt: excerptOf(best, others(best)),
    rewound: sessions.find(({ session_id }) => session_id === best.session_id)?.rewound_turns ?? [],
  }));
  return presentAnswers(deps, lastHeld(excerpts, asked, deps.tokenizer), asked.related);
}

function byScore(one: Answering, other: Answering): number {
  return other.score - one.score;
}

/** Quotations that are compared with the question by meaning: each takes 5 to 40 ms. */
const COMPARED = 20;
/** Weight of one standard deviation. */
const MEANING = 0.06;
/** Characters of the prompt that are compared too: alone, many replies say little. */
const CONTEXT = 200;

/** Whatever is not compared counts as one standard deviation below the mean. */
async function byMeaning(
  { embedding }: AnswerDependencies,
  question: string,
  ranked: Answering[],
): Promise<Answering[]> {
  const texts = ranked.slice(0, COMPARED).map(({ quotation }) => {
    const prompt = quotation.prompt?.statements.slice(0, 2).map(({ text }) => text) ?? [];
    return [quotedText(quotation), prompt.join(' ').slice(0, CONTEXT)].join('\n');
  });
  const nearness = await nearInMeaning(embedding, question, texts);
  if (nearness === null) return ranked;
  return ranked
    .map((one, at) => ({ ...one, score: one.score + MEANING * (nearness[at] ?? -1) }))
    .sort(byScore);
}

function isSameMessage(one: Answering, other: Answering): boolean {
  return one.quotation.message === other.quotation.message;
}

/** What does not hold any more comes after what its session says from the next prompt on, and after what replaced it. */
function lastHeld(
  chosen: (Omit<Chosen, 'later'> & { rewound: number[] })[],
  asked: Asked,
  tokenizer: LexicalTokenizer,
): Chosen[] {
  const left = chosen.map((one) => ({ ...one, later: laterOn(one, asked, tokenizer) }));
  const inOrder: Chosen[] = [];
  while (left.length > 0) {
    const at = left.findIndex((one) => !left.some((other) => isOverBy(one, other, asked.related)));
    inOrder.push(...left.splice(Math.max(0, at), 1));
  }
  return inOrder;
}

function isOverBy({ session_id, later, idea }: Chosen, other: Chosen, related: RelatedIdeas): boolean {
  const replacement = idea === null ? null : related.replacementOf(idea);
  if (replacement !== null && other.idea !== null && ideaId(replacement) === ideaId(other.idea)) return true;
  if (later === null || later.why === 'continued' || other.later !== null) return false;
  return other.session_id === session_id && (other.quotation.message.turn ?? -1) >= later.turn;
}

/** Whether two quotations are of one message, or one says what the other says. */
function overlaps(one: Quotation, other: Quotation): boolean {
  if (one.message === other.message) return true;
  const [text, others] = [quotedText(one), quotedText(other)];
  return text.includes(others) || others.includes(text);
}
