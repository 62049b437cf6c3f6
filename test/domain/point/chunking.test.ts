import { describe, expect, it } from 'vitest';
import { knownModel } from '../../../src/domain/model/known-models.ts';
import type { ChunkSizes } from '../../../src/domain/model/model-record.ts';
import {
  addToChunks,
  type Chunk,
  type ChunkerState,
  type ChunkMessage,
  emptyChunkerState,
  lexicalText,
  openChunk,
} from '../../../src/domain/point/chunking.ts';
import { estimateTokens } from '../../../src/domain/text/tokens.ts';
import { rounds } from '../../support/campaign.ts';
import { pick, type Random, seededRandom } from '../../support/random.ts';

const NOMIC: ChunkSizes = { min: 500, target: 750, max: 1000, overlap: 150 };
const SMALL: ChunkSizes = { min: 60, target: 90, max: 120, overlap: 18 };
const PASSAGES: ChunkSizes = { min: 120, target: 300, max: 450, overlap: 0 };

describe('chunks of generated conversations', () => {
  const cases = [NOMIC, SMALL, PASSAGES].flatMap((sizes) =>
    Array.from({ length: 40 }, (_, seed) => ({ sizes, seed, messages: randomConversation(seed, sizes) })),
  );

  it('limits chunks to the maximum size', () => {
    for (const { sizes, messages } of cases)
      for (const chunk of chunksOf(messages, sizes))
        expect(estimateTokens(chunk.content)).toBeLessThanOrEqual(sizes.max);
  });

  it('rebuilds the conversation exactly from chunks without their overlaps', () => {
    for (const { sizes, messages } of cases) {
      const rebuilt = chunksOf(messages, sizes).map(({ content, overlap }) => content.slice(overlap));
      expect(rebuilt.join('')).toBe(messages.map(asWritten).join(''));
    }
  });

  it('begins each chunk with the end of the previous one, within the allowed length', () => {
    for (const { sizes, messages } of cases) {
      const chunks = chunksOf(messages, sizes);
      for (const [at, { content, overlap }] of chunks.entries()) {
        const repeated = content.slice(0, overlap);
        expect(chunks[at - 1]?.content.endsWith(repeated) ?? repeated === '').toBe(true);
        expect(estimateTokens(repeated)).toBeLessThanOrEqual(sizes.overlap);
      }
    }
  });

  it('cuts the same chunks at once and in parts, wherever reading is interrupted', () => {
    for (const { sizes, messages } of cases) {
      const whole = chunksOf(messages, sizes);
      let state = emptyChunkerState();
      const finished: Chunk[] = [];
      for (const message of messages) {
        finished.push(...addToChunks(state, message, sizes));
        state = JSON.parse(JSON.stringify(state)) as ChunkerState;
      }
      expect(withOpen(finished, state)).toEqual(whole);
    }
  });

  it('changes only the last chunks when messages are added', () => {
    for (const { sizes, messages } of cases) {
      const whole = chunksOf(messages, sizes);
      const half = chunksOf(messages.slice(0, messages.length / 2), sizes);
      expect(whole.slice(0, half.length - 1)).toEqual(half.slice(0, -1));
    }
  });

  it('never splits a code block that fits into a chunk', () => {
    for (const { sizes, messages } of cases) {
      const chunks = chunksOf(messages, sizes);
      for (const fence of messages.flatMap(({ text }) => fencesOf(text))) {
        if (estimateTokens(fence) > sizes.max - 4) continue;
        expect(chunks.some(({ content }) => content.includes(fence))).toBe(true);
      }
    }
  });

  it('keeps a turn together if it fits into a chunk, unless that leaves the previous chunk tiny', () => {
    for (const { sizes, messages } of cases) {
      const chunks = chunksOf(messages, sizes);
      const own = chunks.map(({ content, overlap }) => content.slice(overlap));
      for (const turn of turnsOf(messages)) {
        const text = turn.map(asWritten).join('');
        const cost = turn.reduce((sum, message) => sum + piecesCost(message), 0);
        if (cost + sizes.overlap > sizes.max) continue;
        const whole = own.some((content) => content.includes(text));
        const tiny = own.some((content) => {
          const before = content.split(text.slice(0, 40))[0] ?? '';
          return (
            before !== content && before !== '' && estimateTokens(before) < sizes.min / 2 + sizes.overlap
          );
        });
        expect(whole || tiny).toBe(true);
      }
    }
  });

  it('dates a chunk by its first and last message', () => {
    for (const { sizes, messages } of cases) {
      for (const chunk of chunksOf(messages, sizes)) {
        expect(chunk.timestamp === null || chunk.ended_at === null || chunk.timestamp <= chunk.ended_at).toBe(
          true,
        );
        expect(messages.some(({ turn }) => turn === chunk.turn)).toBe(true);
      }
    }
  });
});

describe('chunks', () => {
  it('closes a chunk at the next turn once it is large enough', () => {
    const messages = [0, 1, 2].flatMap((turn) => [
      said('user', words(100), turn),
      said('assistant', words(500), turn),
    ]);
    expect(chunksOf(messages, NOMIC).map(({ turn }) => turn)).toEqual([0, 1, 2]);
  });

  it('combines short turns until a chunk is large enough', () => {
    const messages = Array.from({ length: 20 }, (_, turn) => said('user', words(60), turn));
    const chunks = chunksOf(messages, NOMIC);
    for (const chunk of chunks.slice(0, -1))
      expect(estimateTokens(chunk.content)).toBeGreaterThanOrEqual(NOMIC.min);
    expect(chunks).toHaveLength(3);
  });

  it('cuts a long turn at a message, near the target size', () => {
    const messages = Array.from({ length: 30 }, (_, at) =>
      said(at === 0 ? 'user' : 'assistant', words(100), 0),
    );
    const chunks = chunksOf(messages, NOMIC);
    for (const chunk of chunks.slice(0, -1)) {
      const tokens = estimateTokens(chunk.content);
      expect(tokens).toBeGreaterThanOrEqual(NOMIC.target);
      expect(tokens).toBeLessThanOrEqual(NOMIC.target + 110);
      expect(chunk.content.endsWith('\n')).toBe(true);
    }
  });

  it('keeps a code block of nearly the maximum size whole, without an overlap before it', () => {
    const block = `\`\`\`ts\n${'const answer = 42;\n'.repeat(170)}\`\`\`\n`;
    const tokens = estimateTokens(block);
    expect(tokens).toBeGreaterThan(NOMIC.max - NOMIC.overlap);
    expect(tokens).toBeLessThan(NOMIC.max);
    const messages = [said('user', words(300), 0), said('assistant', `Here it is:\n\n${block}`, 0)];
    const holder = chunksOf(messages, NOMIC).find(({ content }) => content.includes(block));
    expect(holder?.overlap).toBe(0);
  });

  it('splits a code block only if it is too long by itself', () => {
    const block = `\`\`\`ts\n${'const answer = 42;\n'.repeat(400)}\`\`\`\n`;
    const chunks = chunksOf([said('assistant', block, 0)], NOMIC);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.map(({ content, overlap }) => content.slice(overlap)).join('')).toBe(
      `ASSISTANT: ${block}\n`,
    );
  });

  it('recognizes a fence inside a longer fence, and backticks that are not a fence', () => {
    const outer = `\`\`\`\`md\n\`\`\`js\n\n${'inner();\n\n'.repeat(60)}\`\`\`\n\n\`\`\`\`\n`;
    const inline = `\`\`\`not a fence\`\`\`\n\n${words(40)}\n\n`.repeat(30);
    const chunks = chunksOf([said('user', words(400), 0), said('assistant', inline + outer, 0)], NOMIC);
    expect(chunks.some(({ content }) => content.includes(outer))).toBe(true);
    expect(chunks.length).toBeGreaterThan(2);
  });

  it('cuts text without spaces or line ends, but never a character', () => {
    for (const unit of ['x', '語', '🙂', 'é']) {
      const chunks = chunksOf([said('user', unit.repeat(6000), 0)], SMALL);
      for (const { content } of chunks) {
        expect(content.isWellFormed()).toBe(true);
        expect(estimateTokens(content)).toBeLessThanOrEqual(SMALL.max);
      }
    }
  });

  it('cuts tens of thousands of short paragraphs in reasonable time', { timeout: 60_000 }, () => {
    const started = performance.now();
    chunksOf([said('user', 'a\n\n'.repeat(rounds({ quick: 25_000, slow: 100_000 })), 0)], NOMIC);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('indexes a chunk’s text without overlap and role marks', () => {
    const messages = Array.from({ length: 12 }, (_, at) =>
      said(at % 2 ? 'assistant' : 'user', `note${at} ${words(120)}`, at),
    );
    const texts = chunksOf(messages, NOMIC).map(lexicalText);
    expect(texts.join('')).toBe(messages.map(({ text }) => `${text}\n`).join(''));
  });

  it('fits chunks to the known models', () => {
    for (const id of ['nomic-ai/nomic-embed-text-v1.5', 'sentence-transformers/all-MiniLM-L6-v2']) {
      const record = knownModel(id);
      if (record === undefined) throw new Error(`${id} is not known`);
      const { chunk, maxTokens } = record;
      expect(chunk.min).toBeLessThanOrEqual(chunk.target);
      expect(chunk.target).toBeLessThanOrEqual(chunk.max);
      expect(chunk.max).toBeLessThan(maxTokens);
      expect(chunk.overlap).toBeLessThan(chunk.min);
    }
  });
});

function said(
  role: ChunkMessage['role'],
  text: string,
  turn: number,
  timestamp: string | null = null,
): ChunkMessage {
  return { role, text, turn, timestamp };
}

/** A text of about this many tokens. */
function words(tokens: number): string {
  return 'lorem ipsum dolor '.repeat(Math.round(tokens / 0.29 / 18)).trim();
}

function chunksOf(messages: ChunkMessage[], sizes: ChunkSizes): Chunk[] {
  const state = emptyChunkerState();
  return withOpen(
    messages.flatMap((message) => addToChunks(state, message, sizes)),
    state,
  );
}

function withOpen(finished: Chunk[], state: ChunkerState): Chunk[] {
  const last = openChunk(state);
  return last === null ? finished : [...finished, last];
}

function asWritten({ role, text }: ChunkMessage): string {
  return `${{ user: 'USER: ', assistant: 'ASSISTANT: ', tool: '' }[role]}${text}\n`;
}

function turnsOf(messages: ChunkMessage[]): ChunkMessage[][] {
  const turns: ChunkMessage[][] = [];
  for (const message of messages) {
    const turn = turns[message.turn];
    if (turn === undefined) turns[message.turn] = [message];
    else turn.push(message);
  }
  return turns;
}

/** A message's tokens if it is cut at blank lines and each piece is rounded up. */
function piecesCost(message: ChunkMessage): number {
  return asWritten(message)
    .split(/(?<=\n)/)
    .reduce((sum, part) => sum + estimateTokens(part), 4);
}

function fencesOf(text: string): string[] {
  return text.match(/^```ts\n[\s\S]*?^```$\n/gm) ?? [];
}

function randomConversation(seed: number, sizes: ChunkSizes): ChunkMessage[] {
  const random = seededRandom(seed + 1);
  let time = Date.UTC(2026, 0, 1);
  let turn = -1;
  return Array.from({ length: 5 + random(60) }, (): ChunkMessage => {
    const role =
      turn < 0 ? 'user' : pick(random, ['user', 'assistant', 'assistant', 'tool', 'tool', 'tool'] as const);
    if (role === 'user') turn += 1;
    time += random(100_000);
    const timestamp = random(10) === 0 ? null : new Date(time).toISOString();
    const text = role === 'tool' ? `Bash: npm run step${random(100)}` : randomText(random, sizes);
    return { role, text, turn, timestamp };
  });
}

function randomText(random: Random, sizes: ChunkSizes): string {
  const paragraphs = Array.from({ length: 1 + random(5) }, () => {
    const length = 1 + random(pick(random, [10, 60, sizes.max, sizes.max * 2]));
    const kind = random(6);
    if (kind === 0)
      return `\`\`\`ts\n${'let value = compute(1);\n'.repeat(1 + random(sizes.max / 5))}\`\`\`\n`;
    if (kind === 1) return '漢字とかな。'.repeat(1 + length / 8);
    if (kind === 2) return `${'длинное слово '.repeat(1 + length / 8)}🙂`;
    if (kind === 3) return 'x'.repeat(length * 3);
    return words(length) || 'ok';
  });
  return paragraphs.join('\n\n').trim();
}
