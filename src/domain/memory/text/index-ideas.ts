import type { IdeaPayload } from '../../point/point.ts';
import { keyWords } from './sentences.ts';

export interface IndexedIdea {
  idea: IdeaPayload;
  words: string[];
  /** The usual verbs, which `words` leaves out: "document", "remov". */
  acts: string[];
  /** `question:` and the question that it decided: choices of one question are about the same thing, whatever their words. */
  question: string | null;
  /** Total weight of its words. */
  weight: number;
  /** Its place among all ideas by age. */
  place: number;
}

export interface IdeaIndex {
  /** Oldest first. */
  ideas: IndexedIdea[];
  /** Earlier ideas of other sessions. `share`: how much of the lighter idea's words is in the other one, weighted by rarity. */
  similarTo(later: IndexedIdea): { earlier: IndexedIdea; share: number }[];
}

/** More frequent words are not looked up: the time would grow with the square of the number of ideas. */
const MAX_WITH_WORD = 60;
/** A question that is asked again and again says nothing. */
const MAX_WITH_QUESTION = 12;
const MIN_SHARE = 0.45;
const MIN_COMMON = 3;
/** What two texts about the same thing have in common at least; two words suffice if the earlier one has hardly others. */
export const SAME_SHARE = 0.8;

/** Indexes ideas by their rarer words and the questions that they decided. */
export function indexIdeas(ideas: IdeaPayload[]): IdeaIndex {
  const indexed = ideas.map(toIndexed).sort(byAge);
  const byWord = new Map<string, IndexedIdea[]>();
  for (const [place, one] of indexed.entries()) {
    one.place = place;
    for (const key of keysOf(one)) {
      const known = byWord.get(key);
      if (known === undefined) byWord.set(key, [one]);
      else known.push(one);
    }
  }
  const weightOf = (word: string) => Math.log(1 + indexed.length / (byWord.get(word)?.length ?? 1));
  for (const one of indexed) one.weight = one.words.reduce((sum, word) => sum + weightOf(word), 0);
  return {
    ideas: indexed,
    similarTo(later) {
      const common = new Map<IndexedIdea, { weight: number; words: number; question: boolean }>();
      for (const key of keysOf(later)) {
        const all = byWord.get(key) ?? [];
        if (all.length > (key === later.question ? MAX_WITH_QUESTION : MAX_WITH_WORD)) continue;
        const rarity = weightOf(key);
        for (const earlier of all) {
          if (earlier.place >= later.place) break;
          if (earlier.idea.session_id === later.idea.session_id) continue;
          const sum = common.get(earlier) ?? { weight: 0, words: 0, question: false };
          if (key === later.question) sum.question = true;
          else sum.words += 1;
          sum.weight += rarity;
          common.set(earlier, sum);
        }
      }
      return [...common].flatMap(([earlier, { weight, words, question }]) => {
        const share = weight / Math.max(1e-9, Math.min(later.weight, earlier.weight));
        const isShort =
          earlier.idea.is_open === true &&
          words === 2 &&
          weight >= SAME_SHARE * earlier.weight &&
          doesSame(later, earlier);
        const isSimilar = question || isShort || (words >= MIN_COMMON && share >= MIN_SHARE);
        return isSimilar ? [{ earlier, share: Math.min(1, share) }] : [];
      });
    },
  };
}

function toIndexed(idea: IdeaPayload): IndexedIdea {
  // All addresses of a site share its name.
  const said = [...keyWords(idea.content.replace(/https?:\/\/\S+/g, ' '))];
  const words = said.filter((word) => !POLARITY.has(word));
  const acts = said
    .flatMap((word) => (POLARITY.has(word) ? word.replace(/e$/, '') : []))
    .filter((act) => ACTS.has(act));
  const question = questionOf(idea);
  return {
    idea,
    words,
    acts,
    question: question === '' ? null : `question:${question}`,
    weight: 0,
    place: 0,
  };
}

/** The question behind a choice; empty for any other idea. */
export function questionOf({ evidence, content }: IdeaPayload): string {
  return evidence === 'choice' ? content.slice(0, content.lastIndexOf('?') + 1).toLowerCase() : '';
}

function keysOf({ words, question }: IndexedIdea): string[] {
  return question === null ? words : [...words, question];
}

/** Words that say whether, or that something is left. */
const WHETHER = 'never always don must avoid instead committ pass plan chore feat yet'.split(' ');
/** Words that say what is done, without an e at the end. */
const ACTS = new Set(
  'fix updat implement writ document remov drop migrat creat test upgrad improv handl support replac chang wir'.split(
    ' ',
  ),
);
/** Also said as "add", which is no key word. */
const MAKES = new Set(['implement', 'creat']);
/** Not what the text is about. */
const POLARITY = new Set([...WHETHER, ...[...ACTS].flatMap((act) => [act, `${act}e`])]);

/** Whether later work does what was left, not something else with it: "document the cache" is not done by "remove the cache". */
function doesSame(later: IndexedIdea, earlier: IndexedIdea): boolean {
  return earlier.acts.every(
    (act) => later.acts.includes(act) || (MAKES.has(act) && later.acts.every((one) => MAKES.has(one))),
  );
}

function byAge({ idea: one }: IndexedIdea, { idea: other }: IndexedIdea): number {
  const [first, second] = [one.timestamp ?? '', other.timestamp ?? ''];
  if (first !== second) return first < second ? -1 : 1;
  if (one.session_id !== other.session_id) return one.session_id < other.session_id ? -1 : 1;
  return one.chunk_index - other.chunk_index;
}
