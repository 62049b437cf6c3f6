/** How a result compares with the query and with the other results. */
export interface Evidence {
  /** Its score minus the best other score, without recency: negative for all but the first result. */
  gap: number;
  /** IDF-weighted share of the query's words in its best passages or its names, 0 to 1; the mean over several phrasings. */
  coverage: number;
  /** The same share for its names alone: its title, a commit's subject, a changed file or a URL. */
  named: number;
  /** Number of words in the query, without stop words. */
  words: number;
  /** In what share of the lists that were searched it is the best. */
  first: number;
  /** 1 with further phrasings, otherwise 0. */
  phrased: number;
}

/** The fitted numbers (docs/internals/ranking.md); `npm run eval -- certainty --fit` fits them. */
export const CERTAINTY = {
  gap: 3.0,
  coverage: 4.3,
  named: 1.2,
  words: 1.3,
  first: 2.2,
  phrased: 1.5,
  constant: -8.1,
};
export type CertaintyNumbers = typeof CERTAINTY;

/** How likely a result is the right one, comparable between answers: a logistic model. */
export function certaintyOf(evidence: Evidence, numbers: CertaintyNumbers = CERTAINTY): number {
  const { gap, coverage, named, words, first, phrased } = evidence;
  const sum =
    numbers.gap * gap +
    numbers.coverage * coverage +
    numbers.named * named +
    numbers.words * Math.log(1 + words) +
    numbers.first * first +
    numbers.phrased * phrased +
    numbers.constant;
  return 1 / (1 + Math.exp(-sum));
}

/** How well a result fits, in words. `none`: it is only among the closest. */
export const STRENGTHS = ['strong', 'likely', 'possible', 'none'] as const;
type Strength = (typeof STRENGTHS)[number];

/** How well the best result of an answer fits. */
export const FITS = ['strong', 'likely', 'possible', 'unlikely', 'nothing'] as const;
export type FitLevel = (typeof FITS)[number];

/** The least certainty for each level. */
const AT_LEAST: Record<FitLevel, number> = {
  strong: 0.8,
  likely: 0.5,
  possible: 0.15,
  unlikely: 0.05,
  nothing: 0,
};
export const POSSIBLE = AT_LEAST.possible;
export const LIKELY = AT_LEAST.likely;

export function fitLevel(certainty: number): FitLevel {
  return FITS.find((level) => certainty >= AT_LEAST[level]) ?? 'nothing';
}

export function strengthOf(certainty: number): Strength {
  const level = fitLevel(certainty);
  return level === 'unlikely' || level === 'nothing' ? 'none' : level;
}

/** How well the best result of an answer fits, and the words that every door uses for it. */
export interface Fit {
  level: FitLevel;
  text: string;
}

const CLOSEST = 'the closest are';

const TEXTS: Record<FitLevel, string> = {
  strong: 'strong match',
  likely: 'likely match',
  possible: 'possible match',
  unlikely: `probably not here; ${CLOSEST}`,
  nothing: `nothing fits; ${CLOSEST}`,
};

/** With one or two words that so many sessions contain, any of them may be meant. */
const MANY_SESSIONS = 5;
const FEW_WORDS = 2;

/**
 * The fit of an answer; null if it has no results. Results that cover the query together are at least possible.
 * @param words in how many sessions each word of the query occurs; needed only if no result is possible.
 */
export function fitOf(
  certainties: number[],
  { together, words = [] }: { together: boolean; words?: { sessions: number }[] },
): Fit | null {
  if (certainties.length === 0) return null;
  const level = fitLevel(Math.max(...certainties, together ? POSSIBLE : 0));
  const isCommon =
    words.length > 0 && words.length <= FEW_WORDS && words.every(({ sessions }) => sessions >= MANY_SESSIONS);
  return isWeak({ level }) && isCommon
    ? { level, text: `no session stands out; ${CLOSEST}` }
    : { level, text: TEXTS[level] };
}

/** Whether an answer only lists the closest sessions. */
export function isWeak(fit: Pick<Fit, 'level'> | null | undefined): boolean {
  return fit?.level === 'unlikely' || fit?.level === 'nothing';
}

/** A strength as it stands beside a result; empty if it does not fit. */
export function matchText(strength: Strength | null): string {
  return strength === null || strength === 'none' ? '' : TEXTS[strength];
}
