interface Fork {
  way: 'native' | 'turn' | 'inject';
  turn: number | null;
  /** Only the command was given. */
  printed: boolean;
  /** The new session; null until its transcript is found. */
  result_session_id: string | null;
}

/** How a session was forked, in a few words. */
export function forkWords({ way, turn, printed, result_session_id: result }: Fork): string {
  if (printed) return 'command printed';
  if (way !== 'inject' && result === null) return 'agent started, no fork found yet';
  if (way !== 'inject') return turn === null ? 'forked' : `forked at turn ${turn}`;
  return `context${turn === null ? '' : ` up to turn ${turn}`} given to a new session`;
}
