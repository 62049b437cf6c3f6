type LookUpKind = 'session' | 'commit' | 'pull' | 'branch' | 'file' | 'error';

/** Something that a query names exactly. Matching sessions are looked up before the search. */
export interface LookUp {
  kind: LookUpKind;
  value: string;
  /** `owner/name`, from a pull request's URL. */
  repository?: string;
}

/** A session's id, or a prefix as long as smart-fork prints to tell it from others. */
const ID = /(?<![\w-])[0-9a-f]{8}-[0-9a-f-]{1,27}(?![\w-])/gi;
/** Hexadecimal words with a letter and a digit; others only after "commit" or "session". Digits also count as the whole query. */
const HASH =
  /(?<![\w-])(?:(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])|(?<=\b(?:commit|session)\s{1,9})|^(?=\d+$))[0-9a-f]{7,40}(?![\w-])/gi;
/** Numbered things that are not pull requests: "step #3", "the #1 problem". */
const NUMBERED =
  'bug|case|entry|example|goal|item|line|number|option|part|phase|point|priority|problem|question|reason|rule|section|step|task|test|tip|todo';
const PULL = new RegExp(
  `(?:#(?<=(?:^|[\\s(])#)(?<!\\b(?:${NUMBERED})s?\\s{1,9}#)(?!\\d{1,2}\\s+(?:${NUMBERED})\\b)|\\b(?:PR|MR|pull request|merge request)\\s+#?)(\\d{1,7})(?![\\w.])`,
  'gi',
);
const PULL_URL =
  /(?:(?<![\w.-])([\w.-]{1,100}\/[\w.-]{1,100})(?:\/-)?)?\/(?:pull|merge_requests)\/(\d{1,7})(?![\w.])/gi;
const ERROR =
  /^(?:[\w.]*(?:Error|Exception|Panic|Fault)\b|(?:[Ee]rror|ERROR|[Ff]atal|FATAL|[Pp]anic|[Ww]arning|npm ERR!|npm error)\s*[:([]|Traceback \(|[A-Z]{2,}\d{3,}\b|E[A-Z]{4,}\b)/;
const LONGEST_ERROR = 300;
/** A pasted log may name many, and each costs a request to the store. */
const MAX_LOOK_UPS = 20;

/** What a query names exactly. Files and branches count only as the whole query: among other words they are part of the topic. */
export function readLookUps(query: string): LookUp[] {
  const text = query.trim();
  const all = (pattern: RegExp, kind: LookUpKind): LookUp[] =>
    Array.from(text.matchAll(pattern), ({ 0: whole, 1: group = whole }) => ({
      kind,
      value: group.toLowerCase(),
    }));
  const hashes = all(HASH, 'commit');
  // The first group of a UUID looks like a hash.
  const prefixes = hashes
    .filter(({ value }) => value.length === 8)
    .map(({ value }) => ({ kind: 'session' as const, value }));
  const pulls = [
    ...all(PULL, 'pull'),
    ...Array.from(text.matchAll(PULL_URL), ([, repository, value = '']) => ({
      kind: 'pull' as const,
      value,
      repository: repository ? repository.toLowerCase() : undefined,
    })),
  ];
  const exact = [...all(ID, 'session'), ...prefixes, ...hashes, ...pulls];
  const whole = exact.length > 0 || /\s/.test(text) ? [] : wholeQuery(text);
  const isError = ERROR.test(text) && text.split(/\s+/).length >= 3;
  const named: LookUp[] = [
    ...exact,
    ...whole,
    ...(isError ? [{ kind: 'error' as const, value: firstLine(text) }] : []),
  ];
  const once = new Map(named.map((one) => [[one.kind, one.repository, one.value].join(' '), one]));
  return [...once.values()].slice(0, MAX_LOOK_UPS);
}

function wholeQuery(word: string): LookUp[] {
  const file = word.replace(/(?::\d+){1,2}$/, '').replace(/^(?:@|\.\/)/, '');
  if (/^[\w.@()[\]\\/ -]*[\w)\]]\.[a-z][a-z\d]{0,9}$/i.test(file)) return [{ kind: 'file', value: file }];
  const isName = /^[\w.-][\w./-]*[\w.-]$/.test(word) && !word.includes('//');
  return isName && /[/-]/.test(word.slice(1, -1))
    ? [
        { kind: 'branch', value: word },
        { kind: 'file', value: file },
      ]
    : [];
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? text).slice(0, LONGEST_ERROR).trim();
}
