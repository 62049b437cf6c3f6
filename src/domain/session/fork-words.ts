interface Fork {
  way: 'native' | 'turn' | 'inject';
  turn: number | null;
  /** Only the command was given. */
  printed: boolean;
}

/** How a session was forked, in a few words. */
export function forkWords({ way, turn, printed }: Fork): string {
  if (printed) return 'command printed';
  if (way !== 'inject') return turn === null ? 'forked' : `forked at turn ${turn}`;
  return `context${turn === null ? '' : ` up to turn ${turn}`} given to a new session`;
}
