import { randomNumbers } from '../../eval/metrics.ts';

/**
 * Text with a realistic word distribution: a few words occur everywhere, most words are rare, and some are unique to one
 * session.
 */
export interface TextSource {
  /** The words of a passage in a session. */
  words(session: number, count: number): string[];
  /** A unit vector, as close to others of its session, and to all others, as E5's vectors are. */
  vector(session: number, dimensions: number): Float32Array;
}

const VOCABULARY = 40_000;
const TOPIC_WORDS = 150;
const TOPIC_SHARE = 0.3;
/** Lengths of a vector's parts: common to all, its session's topic, its own. */
const COMMON_PART = 0.93;
const TOPIC_PART = 0.25;
const OWN_PART = 0.27;

export function createTextSource(seed: number): TextSource {
  const random = randomNumbers(seed);
  const vocabulary = makeVocabulary();
  const zipf = zipfSampler(VOCABULARY, random);
  const topics = new Map<number, string[]>();
  const topicOf = (session: number): string[] => {
    const numbers = randomNumbers(1_000_000 + session);
    const topic = Array.from(
      { length: TOPIC_WORDS },
      () => vocabulary[200 + Math.floor(numbers() * (VOCABULARY - 200))] ?? '',
    );
    topics.set(session, topic);
    return topic;
  };
  return {
    words(session, count) {
      const topic = topics.get(session) ?? topicOf(session);
      return Array.from({ length: count }, () => {
        if (random() >= TOPIC_SHARE) return vocabulary[zipf()] ?? '';
        // Word frequencies within a topic are skewed too.
        return topic[Math.floor(topic.length * random() ** 3)] ?? '';
      });
    },
    vector: (session, dimensions) => {
      const common = unitVector(dimensions, randomNumbers(3_000_000));
      const topic = unitVector(dimensions, randomNumbers(2_000_000 + session));
      const own = unitVector(dimensions, random);
      return toUnit(
        own.map(
          (value, at) => COMMON_PART * (common[at] ?? 0) + TOPIC_PART * (topic[at] ?? 0) + OWN_PART * value,
        ),
      );
    },
  };
}

/** The tokens that domain/lexical.ts makes from words that have no parts and are their own stems, without computing them. */
export function tokensOf(words: string[]): string {
  let stream = '';
  let previous = '';
  for (const word of words) {
    stream += `${word} ~${word} `;
    if (previous !== '') stream += `${previous}+${word} `;
    previous = word;
  }
  return stream;
}

/** Words that the stemmer does not change; frequent words are shorter. */
function makeVocabulary(): string[] {
  const letters = 'bcdfghkmnprtvwz';
  return Array.from({ length: VOCABULARY }, (_, rank) => {
    let word = '';
    for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / letters.length)) {
      word += letters[rest % letters.length] ?? '';
    }
    return `${word}q`;
  });
}

/** Ranks from 0, with frequency 1 / (rank + 3). */
function zipfSampler(size: number, random: () => number): () => number {
  const sums = new Float64Array(size);
  let total = 0;
  for (let rank = 0; rank < size; rank += 1) {
    total += 1 / (rank + 3);
    sums[rank] = total;
  }
  return () => {
    const wanted = random() * total;
    let low = 0;
    let high = size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function unitVector(dimensions: number, random: () => number): Float32Array {
  return toUnit(Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5));
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
