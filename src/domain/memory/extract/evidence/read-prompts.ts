import { CONFIDENCE } from '../../confidence.ts';
import { type Passage, passagesOf, sentencesIn } from '../../text/passages.ts';
import { isTelling, keyWords } from '../../text/sentences.ts';
import { isTask } from '../../text/task.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { noteIdea } from '../note-idea.ts';
import { noteDecision } from './note-decision.ts';
import { addPlan } from './read-plans.ts';
import { certaintyOf, quoteIn, statedIn } from './stated.ts';

/** Longer prompts are pasted documents. */
const LONGEST_TYPED = 1800;
const MAX_IN_PROMPT = 8;

/** The user's words: an approved plan, questions, corrections, reports of problems, and requests. */
export function addPrompt(state: MemoryState, text: string, at: Place): void {
  const plan = APPROVED_PLAN.exec(text);
  if (plan !== null) {
    addPlan(state, text.slice(plan[0].length), at);
    return;
  }
  if (text.length > LONGEST_TYPED) return;
  let left = MAX_IN_PROMPT;
  for (const passage of passagesOf(text)) {
    if (passage.form === 'heading') continue;
    for (const sentence of sentencesIn(passage)) {
      if (left > 0 && addSentence(state, sentence, passage, at)) left -= 1;
    }
  }
}

const APPROVED_PLAN = /^\s*(?:Implement the following plan|PLEASE IMPLEMENT THIS PLAN):\s*/i;

function addSentence(state: MemoryState, sentence: string, { raw }: Passage, at: Place): boolean {
  const said = sentence.toLowerCase();
  if (!isTelling(sentence) || PASTED.test(said)) return false;
  return noteSaid(state, sentence, said, quoteIn(raw, sentence), at) !== null;
}

/** @param said the sentence in lower case, in which patterns are looked for: they compile twice as fast as without regard to case. */
function noteSaid(
  state: MemoryState,
  sentence: string,
  said: string,
  quote: string,
  at: Place,
): number | null {
  const common = { content: sentence, quote, evidence: 'prompt' as const };
  if (isQuestion(sentence, said)) {
    const question = { ...common, kind: 'question' as const, confidence: CONFIDENCE.question, isOpen: true };
    return noted(state.turn.questions, noteIdea(state, at, question));
  }
  const stated = statedIn(sentence, 'user');
  if (stated?.kind === 'decision') return noteDecision(state, at, { ...common, ...stated });
  if (stated !== null) {
    const opens = stated.kind === 'todo' || stated.kind === 'problem';
    // A problem that is told to the agent is a request.
    const isOpen = stated.kind === 'todo' || undefined;
    const idea = noteIdea(state, at, { ...common, ...stated, isOpen, follows: opens });
    return opens ? noted(state.turn.requests, idea) : idea;
  }
  const isRequest = REQUESTED.test(said) && isTask(sentence);
  const isProposal = PROPOSED.test(said) || POSSIBLE.test(said);
  if (isDirective(said) && !isRequest && !isProposal && !isVague(said) && !REASON.test(said)) {
    const confidence = certaintyOf(sentence, CONFIDENCE.correction);
    return noteDecision(state, at, { ...common, kind: 'decision', evidence: 'correction', confidence });
  }
  // What the agent is to do is no open point of the project.
  if (!(isRequest || PROPOSED.test(said)) || TRIVIAL.test(said)) return null;
  const todo = { ...common, kind: 'todo' as const, confidence: CONFIDENCE.request, follows: true };
  return noted(state.turn.requests, noteIdea(state, at, todo));
}

/** If we want X, we can Y: nobody has chosen. */
const POSSIBLE = /^if (?:so|not|we|i|you|they)\b/;

/** A reason alone decides nothing. */
const REASON = /^(?:because|so that)\b(?![^,]*,)/;

function noted(list: number[], idea: number | null): number | null {
  if (idea !== null) list.push(idea);
  return idea;
}

/** Whether the user asks for information rather than for work. */
function isQuestion(sentence: string, said: string): boolean {
  if (HEDGE.test(said) || pointsBack(sentence, said)) return false;
  if (LEARN.test(said)) return true;
  if (STATUS.test(said) || REQUEST.test(said) || sentence.endsWith(':')) return false;
  if (/^(?:do not|don(?:'|’)?t)\b/.test(said)) return false;
  if (sentence.split(/\s+/).length < 4) return false;
  return (
    (sentence.endsWith('?') && !REQUESTED.test(said)) ||
    INVERTED.test(said) ||
    (INTERROGATIVE.test(said) && !sentence.endsWith('.'))
  );
}

/** Whether a question only points at what was said before: `is that the expected outcome?` */
function pointsBack(sentence: string, said: string): boolean {
  if (!POINTS.test(said) || NAMES.test(sentence)) return false;
  return [...keyWords(sentence)].every((word) => GENERAL.has(word));
}

const POINTS =
  /^(?:(?:and|but|so|ok|then)[\s,]+)*(?:is|are|was|were|does|did|do|should|will|would|could|can|has) (?:you (?:think|believe|feel) )?(?:this|that|it|these|those|they)\b/;
/** A question about SQLite or `cart.ts` says something. */
const NAMES = /(?<!^)[A-Z\d`_/.]\S/;
/** Words, as keyWords gives them, with which a question asks for an opinion. */
const GENERAL = new Set(
  'able align allow approach believe best better call case correct do else expect feel good happen idea keep look make mean ok okay outcome practic practice possible really right sense somewhere sound sure think true way work wrong yes'.split(
    ' ',
  ),
);

/** Hedges that go with any claim: `tell me if I'm wrong`. */
const HEDGE =
  /\b(?:if|whether|unless) (?:i(?:'|’)?m|i am|that(?:'|’)?s|that is) (?:wrong|mistaken|off|missing something)\b/;
/** Questions in the form of a request. */
const LEARN =
  /^(?:(?:and|but|so|also|ok|then|please|now|can you|could you)[\s,]+)*(?:investigate|research|analy[sz]e|check|find out|explain|tell me|look (?:into|up)|figure out)\b.{0,60}\b(?:what|why|how|which|whether|if)\b/;
/** Without a question mark: no request begins so. */
const INVERTED =
  /^(?:(?:and|but|so|also|ok|then|hmm|wait|no|yes|i mean)[\s,]+)*(?:(?:is|are|was|were|does|did|should|will|has|isn(?:'|’)?t|aren(?:'|’)?t|doesn(?:'|’)?t)\b|(?:should|would|could|was|were|did|has|have|wo)n(?:'|’)?t (?:we|you|i|they|it|this|that|there|the|(?!(?:be|need|have)\b)(?:\w+ ){1,3}?be)\b|do (?:we|you|i|they)\b|can (?:it|this|that|they|there|(?!you\b|we\b)(?:\w+ ){1,3}?be)\b|(?:could|would) (?:it|this|that)\b)/;
const INTERROGATIVE =
  /^(?:(?:and|but|so|also|ok|then|hmm|wait|no|yes|i mean)[\s,]+)*(?:what(?! (?:i|we)\b)|why)\b/;
/** Questions about the state of the work. */
const STATUS =
  /\b(?:status|ready to merge|merged? (?:now|yet)|done (?:now|yet)?|finished|making progress|still running|push(?:ed)?|landed|commit(?:ted)?)\b.{0,30}\??$|^(?:is|are) (?:it|they|this|that) (?:ready|done|ok|fine)\b/;
const REQUEST =
  /^(?:(?:and|but|so|also|ok|then|please|now)[\s,]+)*(?:can|could|would|will|can(?:'|’)?t) (?:you|we)\b|^do you think you can\b|^(?:please|pls)\b|\bplease\b/;

/** Whether a sentence only points at what was said before: `please keep that style`. */
function isVague(said: string): boolean {
  return keyWords(said).size < (/\b(?:this|that|own|same)\b/.test(said) ? 3 : 2);
}

/** Work that the user proposes, not what is to hold. */
const PROPOSED =
  /\b(?:we|you|it) (?:should|must) (?:also |just |now )*(?:add|close|create|document|fix|highlight|implement|improve|include|investigate|mention|support|test|update|write)\b/;

/** Whether a sentence sets a rule: what must or must not be. */
function isDirective(said: string): boolean {
  return !said.endsWith('?') && !INVERTED.test(said) && DIRECTIVE.test(said) && !NO_RULE.test(said);
}

const DIRECTIVE =
  /^(?:no|nope|nah)(?:[,.!]|\s[—–-]|\s(?:we|it|that|this|not|use|keep|just)\b)\s*\S+\s+\S+|^(?:actually|instead|rather)[,\s]|\b(?:never|always|must(?:n(?:'|’)?t| not)?|should (?:be|not|only|always|never|stay|keep|use)|shouldn(?:'|’)?t|no need (?:to|for)|no longer need\w*|instead of|rather than)\b|\bi (?:suggest|propose)\b|\bwe (?:should(?: just| also)? \w{3,}|are going to|(?:just )?want|can (?:just )?(?:remove|drop|use))\b|\b(?:we|it|they) (?:don(?:'|’)?t|do not) (?:need|want|use)\b|^(?:please |and |but |so )?(?:don(?:'|’)?t|do not|avoid|keep|only|stick|prefer|drop|use)\b/;
/** What the same words say of the work at hand, or of what the user does not know. */
const NO_RULE =
  /^whether\b|^(?:rather than|instead of)\b[^,]*$|\blet me\b|\bshould be (?:more|less|better|good|fine|ok(?:ay)?|ready|done)\b(?! than)|\bi (?:don(?:'|’)?t|do not|can(?:'|’)?t|cannot|didn(?:'|’)?t|was|thought) ?(?:see|understand|know|think|get|find|believe|thinking|sure)?\b|\b(?:can|could|would|will) (?:you|we)\b|\bdo you think\b|\b(?:does|do|is|has|have|did)(?:n(?:'|’)?t| not) (?:that|this|it|yet|decided?)\b|\b(?:seems? like|not sure|commit|push|spawn|investigate|review|have a look|delegate|i think we should (?:add|update|make|be)|the plan|your answer|worker)\b|^actually (?:i|you|can|wait)\b/;

/** Requests for work. */
const REQUESTED =
  /^(?:(?:and|but|so|also|ok|then|please|pls|now|next|first|can you|could you|would you|can we|we need to|i need you to|i want you to|you (?:should|need to|must)|(?:in|at|on) [^,]{3,50},)[\s,]+)*(?:add|align|allow|analy[sz]e|apply|archive|build|bump|change|check out|clean(?: up)?|close|confirm|convert|copy|create|delete|deploy|document|enable|expose|extract|find|fix|generate|hide|implement|improve|increase|inspect|install|integrate|investigate|log|make|mention|merge|migrate|monitor|move|open|optimi[sz]e|publish|refactor|remove|rename|render|replace|research|review|rewrite|send|set up|show|simplify|spawn|split|support|switch|test|translate|try|update|upgrade|verify|write)\b(?!\s*[,:?]?$)/;
/** Requests that say nothing specific. */
const TRIVIAL =
  /^(?:(?:and|ok|then|please|now|can (?:you|we)|could you)[\s,]+)*(?:commit|push|continue|go on|proceed|(?:re)?try(?: it)? again|check (?:it |this )?again|merge (?:it|this|to main)|clean up|open (?:a |the )?(?:draft )?pr)\b.{0,60}$/;

/** Pasted lines of logs and code. */
const PASTED =
  /^(?:\[?\d{2,4}[-:/]|at \S+ \(|[{}<>|$#]|[^\s@]+@[^\s:~]+[:~ ]|\w+\.\w+\(|(?:error|warn|info|debug)\b\s*[:[(])/;
