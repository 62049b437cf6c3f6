import { ISSUERS } from './issuer-rules.ts';

/**
 * Whether a rule of the library's or an issuer's could find anything in a text. What every match of a rule must
 * contain is looked for in one pass, so that the rules themselves run (and are loaded) for few texts.
 */
export function mayHoldKnownSecret(text: string): boolean {
  return SCREEN.test(text);
}

/** A part of each of the library's rules that no match can lack; test/redact/screen.test.ts holds them together. */
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
  '://[^:/\\s]{0,256}:[^@/\\s]{1,256}@',
  'T3BlbkFJ',
  'sk-ant-api0',
  'lin_api_',
  'SG\\.\\w',
  'shp(?:pa|ca|at|ss)_',
  'gh[pousr]_',
  'github_pat_',
  'ops_ey',
];

const SCREEN = new RegExp([...LIBRARY_PARTS, ...new Set(ISSUERS.map(({ sign }) => sign))].join('|'));
