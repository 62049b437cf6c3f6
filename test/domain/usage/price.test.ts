import { describe, expect, it } from 'vitest';
import { costOf, priceOf } from '../../../src/domain/usage/price.ts';
import { PRICE_LIST } from '../../../src/domain/usage/price-list.ts';
import { CONTEXT_TIERS, type SessionUsage } from '../../../src/domain/usage/usage.ts';
import { reportUsage } from '../../../src/domain/usage/usage-report.ts';

const OPUS = [[0, 5, 25, 0.5, 6.25, 10]];

function used(model: string | null, more: Partial<SessionUsage> = {}): SessionUsage {
  const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return { sessionId: 's', date: '2026-07-01', model, requests: 1, contextAbove: 0, ...tokens, ...more };
}

describe('priceOf', () => {
  it.each([
    'claude-opus-4-6',
    'claude-opus-4-6-20260205',
    'claude-opus-4.6',
    'anthropic/claude-opus-4.6',
    'us.anthropic.claude-opus-4-6-v1',
    'claude-opus-4-6@20260205',
    'claude-opus-4-6[1m]',
  ])('knows %s', (model) => {
    expect(priceOf(model, [])).toEqual(OPUS);
  });

  it('takes the price of a version with a date before that of its model', () => {
    expect(priceOf('gpt-4o-2024-05-13', [])).not.toEqual(priceOf('gpt-4o', []));
    expect(priceOf('gpt-4o-2024-08-06', [])).toEqual(priceOf('gpt-4o', []));
  });

  it.each([null, 'gpt-5.3-codex-spark', 'claude-opus-4-66', 'claude-opus', 'sonnet', 'constructor', ''])(
    'does not guess the price of %s',
    (model) => {
      expect(priceOf(model, [])).toBeNull();
    },
  );

  it('prefers the user’s prices, the first that fits', () => {
    const own = [
      { model: 'claude-opus-*', input: 1, output: 2, cache_write: 4 },
      { model: 'claude-opus-4-6', input: 9, output: 9 },
    ];
    expect(priceOf('claude-opus-4-6', own)).toEqual([[0, 1, 2, 1, 4, 4]]);
    expect(priceOf('claude-sonnet-4-6', own)).toEqual(priceOf('claude-sonnet-4-6', []));
  });
});

describe('costOf', () => {
  it('prices cache reads and both kinds of cache writes on their own', () => {
    const usage = used('claude-opus-4-6', {
      input: 1_000_000,
      output: 100_000,
      cacheRead: 2_000_000,
      cacheWrite: 1_000_000,
      cacheWriteHour: 400_000,
    });
    // 5 + 2.5 + 1 + 0.6 × 6.25 + 0.4 × 10
    expect(costOf(usage, priceOf(usage.model, []) ?? [])).toBeCloseTo(16.25, 10);
  });

  it('prices whole requests with a long context by their tier', () => {
    const usage = used('claude-sonnet-4-20250514', { cacheRead: 1_000_000, output: 1_000_000 });
    const price = priceOf(usage.model, []) ?? [];
    expect(costOf(usage, price)).toBeCloseTo(15.3, 10);
    expect(costOf({ ...usage, contextAbove: 256_000 }, price)).toBeCloseTo(23.1, 10);
  });
});

describe('reportUsage', () => {
  it('says which models have no price, and leaves them out of the cost', () => {
    const usage = [
      used('claude-opus-4-6', { output: 1_000_000 }),
      used('mystery-1', { output: 5, requests: 3 }),
    ];
    const sessions = new Map([['s', { agent: 'claude' as const, repo: 'r' }]]);
    const { totals, by_model, without_price } = reportUsage({ usage, hours: [] }, sessions, []);
    expect(totals).toMatchObject({ cost: 25, requests: 4, unpriced_requests: 3 });
    expect(by_model[1]).toMatchObject({ value: 'mystery-1', unpriced_requests: 3 });
    expect(by_model[1]?.cost).toBeUndefined();
    expect(without_price).toEqual(['mystery-1']);
  });
});

describe('the list of prices', () => {
  it('has tiers that usage is counted by, from the smallest', () => {
    for (const tiers of Object.values(PRICE_LIST.models)) {
      const above = tiers.map(([tokens]) => tokens);
      expect(above).toEqual([...above].sort((one, other) => one - other));
      expect(above[0]).toBe(0);
      for (const tokens of above.slice(1)) expect(CONTEXT_TIERS).toContain(tokens);
    }
  });

  it('has a source, a licence and a date', () => {
    expect(PRICE_LIST.source).toMatch(/^https:/);
    expect(PRICE_LIST.licence).toMatch(/^MIT/);
    expect(PRICE_LIST.date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});
