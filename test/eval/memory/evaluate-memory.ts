import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { indexTranscripts } from '../../../src/app/index/index-transcripts.ts';
import { compose } from '../../../src/compose/parts.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { unanswerableSets } from '../query-sets.ts';
import { evaluateIdeas, type IdeaFigures } from './evaluate-ideas.ts';
import { evaluateJudged, type JudgedFigures } from './evaluate-judged.ts';
import { askQuestions, type RecallScores, scoreQuestions, shareDoubted } from './evaluate-recall.ts';
import { evaluateRelations, type RelationFigures } from './evaluate-relations.ts';
import { evaluateSuggestions, type SuggestionFigures } from './evaluate-suggestions.ts';
import { evaluateTopics, type TopicFigures } from './evaluate-topics.ts';
import {
  readJudgedIdeas,
  readLabelledSessions,
  readLabelledTopics,
  readMemoryQuestions,
  readRelatedPairs,
} from './memory-sets.ts';
import { readMemories, type SessionMemory } from './read-memory.ts';

export interface MemoryEvaluation {
  sessions: number;
  ideas: IdeaFigures[];
  judged: JudgedFigures[];
  relations: RelationFigures[];
  topics: TopicFigures[];
  /** With keyword search. */
  recall: RecallScores[];
  /** Share of unanswerable questions that `recall` does not claim to answer. */
  doubted: number;
  suggestions: SuggestionFigures[];
  growth: Growth;
}

/** What ideas and spans add to the size of their conversations. */
export interface Growth {
  ideasPerSession: number;
  spansPerSession: number;
  /** Characters of their texts per character of conversation. */
  share: number;
  /** Bytes of the longest idea. */
  longest: number;
}

/** Compares the ideas found in the sessions of `corpora` with the labels; null if none of the sessions exists. */
export async function evaluateMemory(corpora: string, work: string): Promise<MemoryEvaluation | null> {
  const parts = await compose(await loadConfig(environment(corpora, work)));
  try {
    const labelled = readLabelledSessions();
    const topics = readLabelledTopics();
    const judged = readJudgedIdeas();
    const ids = new Set([...labelled, ...topics].map(({ session }) => session));
    const memories = await readMemories(parts, ids);
    if (memories.size === 0) return null;
    await indexTranscripts({ ...(await parts.indexing()), probe: () => null }, {});
    return {
      sessions: memories.size,
      ideas: evaluateIdeas(labelled, memories),
      judged: evaluateJudged(
        judged,
        await readMemories(parts, new Set(judged.map(({ session }) => session))),
      ),
      relations: evaluateRelations(readRelatedPairs()),
      topics: evaluateTopics(topics, memories),
      recall: scoreQuestions(await askQuestions(parts, readMemoryQuestions(), 'keyword')),
      doubted: await shareDoubted(
        parts,
        unanswerableSets().flatMap(({ queries }) => queries.map(({ text }) => text)),
      ),
      suggestions: await evaluateSuggestions(await parts.store()),
      growth: growthOf([...memories.values()]),
    };
  } finally {
    await parts.close();
  }
}

/** Every home is in `work` or the corpus, never the user's own. */
function environment(corpora: string, work: string): Record<string, string> {
  const nowhere = join(work, 'nowhere');
  const home = (agent: string) => (existsSync(join(corpora, agent)) ? join(corpora, agent) : nowhere);
  return {
    HOME: nowhere,
    USERPROFILE: nowhere,
    HF_HOME: nowhere,
    SMART_FORK_HOME: join(work, 'memory'),
    CLAUDE_CONFIG_DIR: home('claude'),
    CODEX_HOME: home('codex'),
  };
}

function growthOf(memories: SessionMemory[]): Growth {
  const ideas = memories.flatMap((one) => one.ideas);
  const spans = memories.flatMap((one) => one.spans);
  const texts = [
    ...ideas.map(({ content, quote }) => content.length + quote.length),
    ...spans.map(({ name, summary }) => name.length + summary.length),
  ];
  const conversation = memories.reduce((sum, one) => sum + one.characters, 0);
  return {
    ideasPerSession: ideas.length / memories.length,
    spansPerSession: spans.length / memories.length,
    share: texts.reduce((sum, length) => sum + length, 0) / conversation,
    longest: Math.max(0, ...ideas.map(({ content }) => Buffer.byteLength(content))),
  };
}
