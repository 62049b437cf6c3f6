/**
 * Whether any library rule, or rule for keys and logins, could match a text. A single pass searches for substrings that every match must contain, so
 * that the rules are loaded and run for few texts only.
 */
export function mayHoldKnownSecret(text: string): boolean {
  return SCREEN.test(text);
}

/** For each library rule, a substring of every match. test/adapters/secretlint/recall.test.ts checks them. */
const LIBRARY_PARTS = [
  'A3T[A-Z0-9]',
  'A(?:KIA|GPA|IDA|ROA|IPA|NPA|NVA|SIA)[A-Z0-9]{16}',
  '(?:SECRET|[sS]ecret)_?(?:ACCESS|[aA]ccess)_?(?:KEY|[kK]ey)',
  'PRIVATE KEY',
  ':x-oauth-basic@',
  '_authToken=',
  'npm_',
  'x(?:ox[bpaor]|app)-',
  '[hH][oO][oO][kK][sS]\\.[sS][lL][aA][cC][kK]\\.',
  '@(?:tcp|unix|udp)\\d?\\(',
  '://[^:/\\s]{0,256}:[^@/\\s]{1,256}@',
  '://[A-Za-z0-9_.~+=-]{20,400}@',
  ':(?:\\d{2,5}|\\*):[\\w.*-]{1,63}:[\\w.*-]{1,63}:\\S',
  'T3BlbkFJ',
  'sk-ant-api0',
  'lin_api_',
  'SG\\.\\w',
  'shp(?:pa|ca|at|ss)_',
  'gh[pousr]_',
  'github_pat_',
  'ops_ey',
];

const SCREEN = new RegExp(LIBRARY_PARTS.join('|'));
