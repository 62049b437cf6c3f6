/** A session's topics: its number of turns, and the turns at which a new topic begins. */
export interface Topics {
  turns: number;
  begins: number[];
}

/**
 * WindowDiff (Pevzner and Hearst 2002) over several sessions: the share of windows of `width` turns whose number of boundaries differs
 * from the right one. 0 is perfect. Sessions no longer than a window are left out.
 */
export function windowDiff(pairs: { right: Topics; guess: number[] }[], width: number): number {
  const windows = pairs.flatMap(({ right, guess }) => windowsOf(right, guess, width));
  return windows.length === 0
    ? Number.NaN
    : windows.reduce((sum, wrong) => sum + (wrong ? 1 : 0), 0) / windows.length;
}

/** Half the mean length of a topic, as is common. */
export function windowWidth(sessions: Topics[]): number {
  const turns = sessions.reduce((sum, one) => sum + one.turns, 0);
  const topics = sessions.reduce((sum, one) => sum + one.begins.length + 1, 0);
  return Math.max(1, Math.round(turns / topics / 2));
}

/** As many topics as given, of equal length in turns. */
export function evenTopics(turns: number, length: number): number[] {
  const begins: number[] = [];
  for (let turn = length; turn < turns; turn += length) begins.push(turn);
  return begins;
}

function windowsOf({ turns, begins }: Topics, guess: number[], width: number): boolean[] {
  const within = (at: number, all: number[]) => all.filter((turn) => turn > at && turn <= at + width).length;
  return Array.from(
    { length: Math.max(0, turns - width) },
    (_, at) => within(at, begins) !== within(at, guess),
  );
}
