import { FITS } from '../../domain/search/certainty.ts';
import type { LoggedSearch, SearchLog } from '../../ports/search-log.ts';
import { createLineLog } from './line-log.ts';

export function createSearchLog(path: string): SearchLog {
  const lines = createLineLog(path);
  return { note: lines.add, read: () => lines.read().flatMap(searchIn) };
}

function searchIn({ at, results, fit, ms }: Record<string, unknown>): LoggedSearch[] {
  const level = FITS.find((one) => one === fit) ?? null;
  const isCount = (value: unknown): value is number | null => value === null || typeof value === 'number';
  return typeof at === 'string' && isCount(results) && isCount(ms) ? [{ at, results, fit: level, ms }] : [];
}
