import type { IdeaKind } from '../../../session/ideas.ts';
import { CONFIDENCE } from '../../confidence.ts';
import { isProcessTalk, isTelling, keyWords, sentencesOf } from '../../text/sentences.ts';
import { isTask } from '../../text/task.ts';

export interface Stated {
  kind: IdeaKind;
  content: string;
  confidence: number;
  /** Left to do at the end of a turn. */
  isOpen?: true;
}

/** An agent's report ends its turn; the rest it says while it works. */
export type Speaker = 'user' | 'agent' | 'report';

/** Reads a sentence whose wording shows its kind: `We decided to …`, `The issue is …`. A hedge makes it tentative. */
export function statedIn(sentence: string, speaker: Speaker): Stated | null {
  const said = sentence.toLowerCase().replace(QUOTATION, '“”');
  const may = formsWith(said.match(WORDS)) & OF_SPEAKER[speaker];
  if (may === 0 || QUOTED.test(sentence) || CONDITION.test(sentence)) return null;
  const form = FORMS.find(
    ({ kind, pattern, but, isLeft }, at) =>
      (may & (1 << at)) !== 0 &&
      (isLeft === true || !said.endsWith(':')) &&
      said.endsWith('?') === (kind === 'question') &&
      pattern.test(said) &&
      but?.test(said) !== true,
  );
  if (form === undefined) return null;
  const { kind } = form;
  if (speaker !== 'user' && CUT_OFF.test(sentence)) return null;
  if ((kind === 'solution' || form.isLeft === true) && keyWords(sentence).size < MIN_WORDS) return null;
  if (kind === 'todo' && form.isLeft !== true && !isTask(sentence)) return null;
  if (
    kind === 'context' &&
    (sentence.length < 50 || FAILING.test(sentence) || /^(?:this|that|it)\b/i.test(sentence))
  )
    return null;
  return {
    kind,
    content: sentence.replace(/:$/, ''),
    confidence: certaintyOf(sentence, CONFIDENCE.stated),
    isOpen: form.isLeft,
  };
}

/** What somebody found broken: `Found it: the hook still runs.`, `I see the issue. The hook still runs.`, `X refuses Y, so I’m using Z.` */
export function foundIn(sentences: string[]): Stated | null {
  for (const [at, sentence] of sentences.entries()) {
    const announced = FOUND.exec(sentence)?.[0];
    if (announced === undefined && !SO.test(sentence)) continue;
    const isAnnounced = announced !== undefined && sentence.length - announced.length < SHORTEST_FOUND;
    const content = isAnnounced ? (sentences[at + 1] ?? '') : sentence;
    if ((announced === undefined && !AROUND.test(sentence)) || OF_STYLE.test(sentence)) continue;
    if (CONDITION.test(sentence)) continue;
    if (/\?$|^.{0,60}:$/.test(content) || !isTelling(content) || keyWords(content).size < MIN_WORDS) continue;
    if (isAnnounced && isProcessTalk(content)) continue;
    return {
      kind: 'problem',
      content: content.replace(/:$/, ''),
      confidence: certaintyOf(content, CONFIDENCE.stated),
    };
  }
  return null;
}

const OF_STYLE = /^(?:biome|prettier|eslint|lint\w*)\b/i;
/** In UTF-16 units. */
const SHORTEST_FOUND = 20;
const SO = /, so|;/i;
/** What was in the way, and what the agent does about it. */
const AROUND =
  /^(?!(?:i|if|first)\b).{0,160}?\b(?:fail(?:s|ed|ing)?|hit|refuse[sd]?|rejected|blocked|errored|crash(?:es|ed)|not (?:usable|supported|installed|available)|(?:does not|doesn(?:'|’)t) (?:support|exist|work)|wrong|duplicate|broken)\b.{0,240}?(?:, so|;) i(?:'|’)(?:m|ll|ve)\b/i;
const FOUND =
  /^(?:[\w'’-]+[ ,.!]{1,2}){0,5}?(?:see|understand|found|identified|spotted|caught|hit) (?:it|(?:the|an?|one|another) (?:[\w-]+ ){0,4}?(?:issue|bug|problem|cause|culprit|gap|mistake|mismatch|conflict)s?(?: (?:in|with|on|from) .{1,50}?)?)(?:[:.!]| [-–—] |, namely)/i;

/** Whether a sentence says what may happen, or what somebody could do then: `However, if it has limits, you might see an error.` */
export function isPossibility(sentence: string): boolean {
  return POSSIBLE.test(sentence);
}

const POSSIBLE =
  /^(?:(?:however|but|and|so|also|then|otherwise|alternatively)[\s,]{1,3})?(?:if|unless|in case)\b/i;

/** The certainty of a statement: lower if it is hedged. */
export function certaintyOf(sentence: string, firm: number): number {
  return HEDGE.test(sentence.slice(0, START)) ? Math.min(firm, CONFIDENCE.hedged) : firm;
}

/** `Fixed and pushed.` and `I have not merged it yet.` say nothing by themselves. */
const MIN_WORDS = 3;
/** The rest of a sentence whose beginning was code. */
const CUT_OFF = /^(?:has|have|had|is|are|was|were|does|did|and|or|but|which|that) /;

/** A later hedge is about a detail. */
const START = 80;
const HEDGE =
  /\b(?:maybe|perhaps|possibly|probably|likely|tentative(?:ly)?|provisional(?:ly)?|might|i (?:think|guess|suppose|believe)|not (?:sure|certain)|unsure|leaning|inclined|could be|seems?|appears? (?:to|that)|it appears|presumably|should (?:fix|help|resolve|solve|work))\b/i;
const CONDITION =
  /^(?:(?:however|but|and|so|also|otherwise|alternatively)[\s,]{1,3})?(?:if|unless|until|once|when|whether|in case)\b|\b(?:if|unless|until|whether|in case) (?:we|i|you|they)\b/i;
/** Somebody else's words. */
const QUOTED = /^(?:["'“‘«].*["'”’»]|`[^`]*`)[.?!]?$/;
const QUOTATION = /["“][^"“”]{12,300}["”]/g;

interface Form {
  kind: IdeaKind;
  /**
   * Beginnings of words, one of which every such sentence has: most sentences have none, and meet no pattern. Where one begins with
   * another, only the longer one counts.
   */
  words?: string;
  /** Of the sentence in lower case: a pattern without regard to case takes twice the time to compile. */
  pattern: RegExp;
  /** What the same words also say. */
  but?: RegExp;
  by?: Speaker[];
  /** It says what is left, not what to do. */
  isLeft?: true;
}

const FORMS: Form[] = [
  {
    kind: 'decision',
    words: 'decision|choice',
    pattern:
      /^(?:(?:the|our|my) )?(?:final |main |real )?decision\s*(?:[:—-]|(?:is|was) (?:to|that|not)\b)\s*\S|\b(?:key|main|core) (?:design )?(?:choice|decision) (?:is|was)\b/,
  },
  {
    kind: 'decision',
    words:
      'decided|agreed|opted|chose|settled|committed|from now|picked|preferred|ended up|drop support|dropped support|dropping support|leaning|inclined|replaced',
    pattern:
      /\b(?:we|i|the team|everyone|they|it was|it has been)(?:(?:'|’)ve| have| had| all| both| just| finally| now| already)* (?:tentatively |provisionally |also )?(?:decided|agreed|opted|chose|settled|committed) (?:to|on|for|that|not|against|upon|in favou?r)\b|\bfrom now on\b|\b(?:we|i|the team)(?:(?:'|’)ve)? (?:(?:have )?(?:chose|chosen|picked|preferred) .{1,60}? (?:over|as)|(?:have )?ended up (?:with|using|going)|(?:are |will |have )?drop(?:ped|ping)? support) \S|^we(?:(?:'|’)(?:re|ll|ve))? (?:drop(?:ped|ping)? support|(?:leaning|inclined) (?:to|towards?)|replaced .{1,60}? (?:with|by)) \S/,
  },
  {
    kind: 'decision',
    words: "let's|let’s|lets|let us|we'll|we’ll|we will|we're|we’re|we are|we should|we probably|we maybe",
    pattern:
      /^(?:(?:ok(?:ay)?|so|then|and|yes|no|maybe|perhaps|probably|i (?:think|guess|suppose|believe)(?: that)?|alright|great|now|for now)[\s,.:]+)*(?:let(?:'|’)?s|let us|we(?:'|’)ll|we will|we(?:'|’)re going to|we are going to|we(?:'|’)re|we (?:probably |maybe )?should(?: probably)?) (?:tentatively |just |now )?(?:use|go with|going with|stick (?:with|to)|adopt|keep|standardi[sz]e on)\b/,
    but: /\b(?:keep (?:going|trying|working|an eye|moving|in mind|waiting)|use (?:the time|this opportunity))\b/,
  },
  {
    kind: 'decision',
    words: 'changed|switched|moved|migrated|went',
    pattern:
      /^(?:(?:so|and|then|ok(?:ay)?)[\s,]+)*(?:(?:we|i|they|the team)(?:(?:'|’)ve| have)?(?: just| also| now| since)* (?:changed|switched|moved|migrated|went)(?: .{1,60}?)?|switched|moved|migrated|changed)(?: over| away)? from .{1,80}? to\b/,
    but: /^i\b.*\b(?:px|rem|line|lines|text-\S+|p[xy]-\S+)\b|\b(?:the (?:first|top) to|from (?:scratch|here|there))\b/,
  },
  {
    kind: 'conclusion',
    words: 'insight|takeaway|lesson|reali|learn|finding|observation|conclu|upshot|discovered|found',
    pattern:
      /\b(?:key|main|important|crucial|core|central|big(?:gest)?|real) (?:\w+ )?(?:insight|takeaway|lesson|reali[sz]ation|learning|finding|observation)s?(?: here| so far| from .{1,60}?)? (?:is|was|are|were)\b|^(?:the|an?|one) (?:insight|takeaway|lesson|finding|conclusion|upshot)s?(?: here)? (?:is|was)\b|\b(?:we|i) (?:have )?(?:learned|reali[sz]ed|discovered|concluded|found(?: out)?) that\b|^what (?:we|i)(?:(?:'|’)ve| have)? learned\b/,
    but: /\b(?:is|was|are|were) (?:stable|clear|below|here|as follows|documented|stored)\b/,
  },
  {
    kind: 'conclusion',
    words: 'cause|caused by|reason|turn out|turns out|turned out|it appears',
    pattern:
      /\b(?:root cause|(?:the|real|actual|main|only|underlying|likely) (?:reason|cause)s?)(?: (?:of|for|why|that|behind)\b.{0,80}?)?(?: (?:is|was|are|were)\b|:)|\b(?:turn(?:s|ed)? out|it appears) (?:that|to|the)\b|^(?:the|this|that|it|both)\b(?:(?!fail).){0,60}? (?:is|was|are|were) caused by\b/,
    but: /\b(?:is|was) (?:now )?(?:clear|unclear|unknown|visible|below|not (?:clear|known))\b|\bif it turns out\b/,
  },
  {
    kind: 'conclusion',
    words: 'conclu|finding|recommend|bottom|verdict',
    by: ['report'],
    pattern:
      /^(?:conclusion|finding|recommendation|bottom line|verdict)\s*[:—-]|^(?:i|my) recommend(?:ation)?\b|\bi(?:'|’)d recommend\b/,
  },
  {
    kind: 'problem',
    words: 'problem|issue|bug|trouble|blocker|difficulty|catch|snag',
    pattern:
      /^(?:(?:so|but|and|now|also|ah|ok(?:ay)?)[\s,]+)*(?:(?:the|our|my|one|another|a|this)(?: (?:only|main|real|actual|remaining|biggest|first|second|other|current|likely))? (?:problem|issue|bug|trouble|blocker|difficulty|catch|snag)s?(?: (?:here|now|left|(?:that )?we (?:have|had|see|saw|face|hit)|with [^.]{2,60}?|in [^.]{2,60}?))? (?:is|was|are|were|comes? (?:from|down)|came from)|there(?:(?:'|’)s| is| was) (?:still )?an? (?:\w+ )?(?:problem|issue|bug) (?:with|in|where|when|that))\s+\S/,
    but: /\b(?:problem|issue|bug|trouble|blocker|difficulty|catch|snag)s?\b[^.]{0,62}? (?:is|was|are|were) (?:clear|closed|opened?|open|created|not|now|fixed|resolved|solved|gone|here|still (?:open|closed)|done|retitled|identified|understood|known|this|there|why|how|straightforward|filed|tracked)\b/,
  },
  {
    kind: 'problem',
    by: ['user'],
    pattern:
      /(?:^|[,:-] )(?:(?:also|but|and|so|now) )?(?:i|we)(?:['’]ve| still| also)? (?:(?:cannot|can['’]?t|could(?:n['’]?t| not)|d(?:o|id)(?:n['’]?t| not)) (?:see|re-?run|open|find|use|start|run|load|access|connect|install|build)|(?:have|get|got|see) (?:\w+ ){0,4}?(?:issue|error|problem|failure|warning|exception)s?)\b|\b(?:is|are|does|do|did)(?:n(?:'|’)?t| not) (?:\w+ )?(?:work|render|display|show|visible|load|updat|appear|align)\w*|^(?:(?:also|but|and|now)[\s,]+)*(?!(?:it|this|that|one)\b)(?:[\w./-]+ ){1,4}?(?:failed|fails|is failing|is broken|crashe[sd]|hangs|no longer works|stopped working)\b/,
    but: /\b(?:point|why|how|should|must|we need|previously)\b/,
  },
  {
    kind: 'problem',
    words: 'remain|still|we still',
    by: ['report'],
    pattern: /^(?:the )?(?:only )?remaining (?:issue|problem|blocker)s? (?:is|are)\b|\bstill fails?\b/,
    isLeft: true,
  },
  {
    kind: 'problem',
    words: 'because|due to|since|caused by|failure is|failure was',
    by: ['agent', 'report'],
    pattern:
      /\b(?:fail(?:s|ed|ing|ures?)?|blocked|rejected|broke|crash(?:es|ed))\b.{0,80}?\b(?:because|due to|since|caused by)\b.{10,}|\bfailure (?:is|was) caused by\b/,
    but: /^(?:i|let|we|first)\b|\b(?:i(?:'|’)(?:m|ll)|so (?:i|the)|succeeded|fails safely)\b/,
  },
  {
    kind: 'solution',
    words:
      'fixed|fix is|fix was|fix here|fix for|solution|workaround|remedy|solved|resolved|worked around|got',
    pattern:
      /^(?:the|this|my|our) (?:(?:\w+ )?(?:fix|solution|workaround|remedy)(?: here| for .{2,60}?)? (?:is|was)|(?:\w+ ){0,3}(?:problem|issue|bug|error|crash|failure) (?:is|was|has been|got)(?: now)? (?:fixed|solved|resolved) by)\b|^(?:(?:it|this|that)(?:(?:'|’)s| is| was| has been) )?(?:fixed|solved|resolved|worked around)\b.{10,}|^(?:i|we)(?:(?:'|’)ve| have)? (?:now |just )*(?:fixed|solved|resolved|worked around)\b.{10,}|^(?:(?:i|we) )?(?:finally )?got (?:it|this|that) (?:to work|working) (?:by|with)\b/,
    but: /\b(?:fix|solution) (?:is|was) (?:in|now in|clear|committed|pushed|ready|done|complete|landed|merged|not|validated|local|entirely)\b|\b(?:is|was) (?:simple|straightforward|easy|trivial|small)[.!]?$/,
  },
  {
    kind: 'todo',
    words: 'need|have|we need|we have|someone|somebody|todo|to-do|forget|remember',
    pattern:
      /^(?:(?:also|and|then|so|next|now|later|but|first)[\s,]+)*(?:(?:we|i) (?:also |still |now |then )?(?:need|have) to|still need to|need to|to-?do\s*:|(?:someone|somebody) (?:needs|has) to|(?:don(?:'|’)?t|do not) forget to|remember to)\s*\S|\bstill needs? to be \w{3}/,
    by: ['user'],
  },
  {
    kind: 'todo',
    words: 'need|someone|somebody',
    pattern: /^(?:(?:still )?need|(?:someone|somebody) (?:still )?(?:needs|has)) to\b/,
    by: ['report'],
  },
  {
    kind: 'todo',
    words: 'we need|we have|we also|we still|we then|todo|to-do',
    pattern:
      /^(?:(?:so|now|then|next|also|still)[\s,]+)*we (?:also |still |then )?(?:need|have) to\b|\bto-?do\s*: \S/,
    by: ['agent', 'report'],
  },
  {
    kind: 'todo',
    words: 'still|left|remain|outstanding|done',
    pattern:
      /^(?:still (?:to do|open|left|missing)|left to do|remaining(?: work| steps?| todos?)?|outstanding|not (?:yet )?done)\s{0,3}:\s{0,3}\S{2,}\s+\S/,
    isLeft: true,
    by: ['report'],
  },
  {
    kind: 'todo',
    words: 'still|we still|yet|remain|need|we need',
    pattern:
      /\bstill needs? (?:to be|to|an?|human|review|\w+ing)\b|\bnot (?:been )?(?:committed|merged|pushed|released|published|deployed|implemented|fixed|tested)(?:\/\w+)? yet\b|\bi (?:did(?:n(?:'|’)t| not)|have(?:n(?:'|’)t| not)) .{4,100} yet\b|\bremains? (?:blocked|open|pending|unresolved|outstanding)\b|\b(?:is|are) still (?:open|blocked|stale|pending|broken|failing|missing|unresolved|outstanding)\b|^to (?:complete|finish) .{3,60}?, you (?:still )?need to\b|^you (?:still )?need to\b|\b(?:remote|origin\/\S{1,40}|production|release)\b.{0,30}? still has\b/,
    isLeft: true,
    by: ['report'],
  },
  {
    kind: 'context',
    words: 'unrelated|not related|not part|untouched|alone|pre-existing',
    by: ['agent', 'report'],
    pattern:
      /\b(?:unrelated (?:to|changes|files)|not (?:related to|part of)|left (?:untouched|alone)|leave\w* .{0,40}(?:untouched|alone)|pre-existing)\b/,
    but: /^(?:i|let|stash|we|you)\b/,
  },
  {
    kind: 'question',
    words: 'should|shall|must',
    by: ['report'],
    pattern: /^(?:how|which|what|where) (?:[\w-]+ ){0,4}?(?:should|shall|must) (?:we|the|this|it|that)\b/,
  },
];

/** The sentence as it stands in its line, or the line if marks interrupt it. */
export function quoteIn(raw: string, sentence: string): string {
  if (raw.includes(sentence)) return sentence;
  const start = sentence.slice(0, QUOTE_START);
  return raw.split('\n').find((line) => line.includes(start)) ?? raw;
}

/** In UTF-16 units. */
const QUOTE_START = 24;

const FAILING =
  /\b(?:fail(?:s|ed)|broken|reject(?:s|ed)|crash(?:es|ed)?|missing|404|stale|blocked|block(?:s|ing) (?:the|this|our|every|any))\b/i;

/** A line, or its first sentences if it is long. */
export function excerpt(text: string): string {
  if (text.length <= 280) return text;
  let excerpted = '';
  for (const sentence of sentencesOf(text)) {
    if (excerpted.length + sentence.length > 280) break;
    excerpted = `${excerpted} ${sentence}`.trim();
  }
  return excerpted || text.slice(0, 280);
}

/** The forms that have a word, each as a bit: the first form is the lowest. */
const BITS = new Map<string, number>();
for (const [at, { words = '' }] of FORMS.entries())
  for (const word of words.split('|')) BITS.set(word, (BITS.get(word) ?? 0) | (1 << at));
const ANY = BITS.get('') ?? 0;
BITS.delete('');
const LONGEST_FIRST = [...BITS.keys()].sort((one, other) => other.length - one.length);
const WORDS = new RegExp(`\\b(?:${LONGEST_FIRST.join('|')})`, 'g');
const OF_SPEAKER = { user: formsOf('user'), agent: formsOf('agent'), report: formsOf('report') };

function formsOf(speaker: Speaker): number {
  return FORMS.reduce((bits, { by }, at) => bits | (Number(by?.includes(speaker) ?? true) << at), 0);
}

/** Whether an agent that works on may state something in a message: most have no word of it, and are read no further. */
export function mayState(text: string): boolean {
  return FINDS.test(text) || (formsWith(text.toLowerCase().match(WORDS)) & OF_SPEAKER.agent) !== 0;
}

/** Of what foundIn reads. */
const FINDS = /\b(?:see|understand|found|identified|spotted|caught|hit)\b|, so|;/i;

/** The forms that a sentence with these words may have. */
function formsWith(words: string[] | null): number {
  return (words ?? []).reduce((bits, word) => bits | (BITS.get(word) ?? 0), ANY);
}
