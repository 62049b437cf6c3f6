/** A browser's name and system, from the User-Agent header: `Firefox on Linux`. Null if it names none. */
export function browserOf(userAgent: string): string | null {
  const name = BROWSERS.find(([sign]) => userAgent.includes(sign))?.[1];
  if (name === undefined) return null;
  const system = SYSTEMS.find(([sign]) => userAgent.includes(sign))?.[1];
  return system === undefined ? name : `${name} on ${system}`;
}

/** Browsers also claim to be those that they descend from. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['Android', 'Android'],
  ['Linux', 'Linux'],
  ['iPhone', 'iOS'],
  ['Mac OS X', 'macOS'],
  ['Windows', 'Windows'],
] as const;
