import { expect, it } from 'vitest';
import {
  addToIntents,
  emptyIntentState,
  type Intent,
  openIntent,
} from '../../../src/domain/point/intents.ts';
import { estimateTokens } from '../../../src/domain/text/tokens.ts';
import { seededRandom } from '../../support/random.ts';

it('collects user messages into intents of about 400 tokens', () => {
  const intents = intentsOf(['add a login form', 'and a logout button', 'word '.repeat(270), 'then test it']);
  expect(intents.map(({ index }) => index)).toEqual([0, 1]);
  expect(intents[0]?.text).toMatch(/^add a login form\nand a logout button$/);
  expect(intents[1]?.text).toMatch(/^word .*\nthen test it$/s);
});

it('cuts a long message into intents of at most 400 tokens', () => {
  const message = Array.from({ length: 500 }, (_, at) => `word${at}`).join(' ');
  const intents = intentsOf(['first', message, 'then test it']);
  const words = intents.map(({ text }) => text).join(' ');
  expect(words.split(/\s+/)).toEqual(`first ${message} then test it`.split(' '));
  expect(intents.length).toBeGreaterThan(2);
  for (const { text } of intents) expect(estimateTokens(text)).toBeLessThanOrEqual(420);
  expect(intents.map(({ index }) => index)).toEqual(intents.map((_, at) => at));
});

it('leaves out the end of a message beyond eight intents', () => {
  const intents = intentsOf(['paste '.repeat(5000), '字'.repeat(10_000), 'a'.repeat(1_000_000)]);
  expect(intents).toHaveLength(24);
  for (const { text } of intents) {
    expect(estimateTokens(text)).toBeLessThanOrEqual(400);
    expect(estimateTokens(text)).toBeGreaterThan(390);
  }
});

it('makes the same intents at once and in parts, wherever reading is interrupted', () => {
  const random = seededRandom(3);
  const messages = Array.from({ length: 60 }, () => 'what I want '.repeat(1 + random(60)).trim());
  const whole = intentsOf(messages);
  let state = emptyIntentState();
  const finished: Intent[] = [];
  for (const [at, message] of messages.entries()) {
    finished.push(...addToIntents(state, message, timeOf(at)));
    state = { ...state };
  }
  const last = openIntent(state);
  expect(last === null ? finished : [...finished, last]).toEqual(whole);
  for (const { text } of whole) expect(estimateTokens(text)).toBeLessThanOrEqual(420);
});

it('dates an intent by its first and last message', () => {
  expect(intentsOf(['one', 'two', 'three'])[0]).toMatchObject({ timestamp: timeOf(0), ended_at: timeOf(2) });
  expect(openIntent(emptyIntentState())).toBeNull();
});

function intentsOf(messages: string[]): Intent[] {
  const state = emptyIntentState();
  const finished = messages.flatMap((message, at) => addToIntents(state, message, timeOf(at)));
  const last = openIntent(state);
  return last === null ? finished : [...finished, last];
}

function timeOf(at: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
}
