import { addToMemory } from '../../domain/memory/extract/add-to-memory.ts';
import { emptyMemoryState } from '../../domain/memory/extract/memory-state.ts';
import { takeChanges } from '../../domain/memory/extract/take-changes.ts';
import { BEFORE_FIRST_TURN, markOwnTurns } from '../../domain/own/own-turns.ts';
import { contentWords } from '../../domain/search/coverage.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import { addEvent, emptyDraft } from '../../domain/session/draft.ts';
import { deliveredBy } from '../../domain/session/draft-commits.ts';
import type { IdeaKind, Span } from '../../domain/session/ideas.ts';
import type { TranscriptEvent } from '../../domain/session/transcript-event.ts';
import { isPrompt } from '../../domain/session/transcript-event.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { estimateTokens } from '../../domain/text/tokens.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { redactEvents } from '../privacy/redact-events.ts';

interface LostLine {
  /** Counted from 1. */
  turn: number;
  /** `prompt`: the user's words, if no idea was extracted from them. */
  kind: IdeaKind | 'prompt';
  text: string;
  /** Share of its words that are missing from the summary. */
  missing: number;
}

interface LostTopic {
  name: string;
  lines: LostLine[];
}

export interface Lost {
  session_id: string;
  /** When the conversation was last compacted; null if never, in which case nothing is lost. */
  compacted_at: string | null;
  /** False if the conversation was never compacted. */
  compacted: boolean;
  /** False if the transcript does not contain the summary: everything important then counts as lost. */
  readable: boolean;
  topics: LostTopic[];
  /** Number of lines that did not fit the budget. */
  left_out: number;
}

/** What was said before a session's last compaction and is missing from the summary, by topic, within a token budget. */
export async function findLost(
  { redactor, tokenizer }: { redactor: Redactor; tokenizer: LexicalTokenizer },
  { source, file, maxTokens }: { source: TranscriptSource; file: TranscriptFile; maxTokens: number },
): Promise<Lost> {
  const events = await readEvents(source, file, redactor);
  const end = events.findLastIndex(({ kind }) => kind === 'compaction');
  const last = events[end];
  const nothing = { session_id: file.sessionId, topics: [], left_out: 0 };
  if (last?.kind !== 'compaction')
    return { ...nothing, compacted: false, readable: true, compacted_at: null };
  const { lines, spans } = readBefore(events.slice(0, end));
  const held = new Set(tokenizer.words(last.summary ?? '').map(({ stem }) => stem));
  const lost = lines.flatMap((line) => missingOf(line, held, tokenizer));
  const chosen = choose(lost, maxTokens);
  return {
    session_id: file.sessionId,
    compacted: true,
    readable: last.summary !== null,
    compacted_at: last.timestamp,
    topics: byTopic(chosen, spans),
    left_out: lost.length - chosen.length,
  };
}

type Placed = TranscriptEvent & { line: number };

/** A fork's conversation includes its parent's. */
async function readEvents(
  source: TranscriptSource,
  { path }: TranscriptFile,
  redactor: Redactor,
): Promise<Placed[]> {
  const events: Placed[] = [];
  source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event, _, line) =>
    events.push('inherited' in event ? { ...event, inherited: false, line } : { ...event, line }),
  );
  const redacted = (await redactEvents(events, redactor)).events as Placed[];
  return (markOwnTurns(redacted, BEFORE_FIRST_TURN)?.events ?? redacted) as Placed[];
}

type SaidLine = Omit<LostLine, 'missing'>;

/** In UTF-16 units. The rest of a longer prompt is mostly pasted. */
const LONGEST_PROMPT = 400;

function readBefore(events: Placed[]): { lines: SaidLine[]; spans: Span[] } {
  const draft = emptyDraft();
  const state = emptyMemoryState();
  const prompts: SaidLine[] = [];
  let turn = -1;
  for (const event of events) {
    if (addEvent(draft, event) && isPrompt(event)) {
      turn += 1;
      const text = event.text.slice(0, LONGEST_PROMPT).toWellFormed();
      if (event.own !== true) prompts.push({ turn: turn + 1, kind: 'prompt', text });
    }
    addToMemory(state, event, { turn: Math.max(0, turn), line: event.line });
  }
  const { ideas, spans } = takeChanges(state, deliveredBy(draft));
  const said = ideas.map(({ turn: at, kind, content }): SaidLine => ({ turn: at + 1, kind, text: content }));
  return { lines: [...said, ...prompts], spans };
}

/** A summary uses other words: a line is lost only if most of its words are missing. */
const MISSING = 0.6;
const MIN_MISSING = 3;

function missingOf(line: SaidLine, held: Set<string>, tokenizer: LexicalTokenizer): LostLine[] {
  const stems = new Set(contentWords(tokenizer.words(line.text)).map(({ stem }) => stem));
  const gone = [...stems].filter((stem) => !held.has(stem)).length;
  const missing = gone / stems.size;
  const text = sanitizeLine(line.text).replace(/\s+/g, ' ').trim();
  return gone >= MIN_MISSING && missing >= MISSING
    ? [{ ...line, text, missing: Math.round(missing * 100) / 100 }]
    : [];
}

const WEIGHTS: Record<LostLine['kind'], number> = {
  decision: 1,
  todo: 0.9,
  question: 0.8,
  problem: 0.8,
  prompt: 0.8,
  solution: 0.7,
  conclusion: 0.5,
  context: 0.4,
};

/** The most important lines that fit, without repetitions, in the order of the conversation. */
function choose(lost: LostLine[], maxTokens: number): LostLine[] {
  const weightiest = [...lost].sort(
    (a, b) => WEIGHTS[b.kind] * b.missing - WEIGHTS[a.kind] * a.missing || b.turn - a.turn,
  );
  const seen = new Set<string>();
  let left = maxTokens;
  const chosen = weightiest.filter(({ text }) => {
    const tokens = estimateTokens(text) + AROUND_LINE;
    if (seen.has(text) || tokens > left) return false;
    seen.add(text);
    left -= tokens;
    return true;
  });
  return chosen.sort((a, b) => a.turn - b.turn);
}

/** Estimated tokens printed around a line: its turn, its kind, its topic's name. */
const AROUND_LINE = 14;

function byTopic(lines: LostLine[], spans: Span[]): LostTopic[] {
  const topics = new Map<string, LostLine[]>();
  for (const line of lines) {
    const name = topicOf(line.turn - 1, spans);
    const own = topics.get(name) ?? [];
    topics.set(name, own);
    own.push(line);
  }
  return [...topics].map(([name, own]) => ({ name, lines: own }));
}

function topicOf(turn: number, spans: Span[]): string {
  const around = spans.filter((span) => span.firstTurn <= turn && turn <= span.lastTurn);
  const deepest = around.reduce<Span | null>(
    (best, span) => (span.depth >= (best?.depth ?? 0) ? span : best),
    null,
  );
  return sanitizeLine(deepest?.name ?? '') || 'the conversation';
}
