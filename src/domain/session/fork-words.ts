import type { ForkedBefore } from '../json/fork.ts';

/** How a session was forked, in a few words. */
export function forkWords({ way, turn, printed }: Pick<ForkedBefore, 'way' | 'turn' | 'printed'>): string {
  if (printed) return 'command printed';
  if (way !== 'inject') return turn === null ? 'forked' : `forked at turn ${turn}`;
  return `context${turn === null ? '' : ` up to turn ${turn}`} given to a new session`;
}
