/** Words that people try as commands, and what does it. */
const OTHER_WORDS: [words: string, purpose: string, command: string][] = [
  ['pause stop disable', 'To stop indexing in the background', 'config set indexing.auto_index false'],
  [
    'redact mask hide',
    'To redact more than secrets',
    'config set privacy.redact \'[{"name": "customer", "pattern": "ACME-[0-9]+"}]\'',
  ],
  [
    'exclude ignore skip',
    'To leave out a repository (or privacy.exclude.paths, privacy.exclude.branches)',
    'config set privacy.exclude.repositories \'["NAME"]\'',
  ],
  ['delete remove rm', 'To remove a session', 'forget ID'],
  ['find grep query', 'To find a session', 'search WORDS'],
  ['list history', 'To list sessions', 'sessions'],
  ['view cat read print', 'To read a session', 'show ID'],
  ['resume continue', 'To continue from a session', 'fork ID'],
  ['decisions findings', 'To list decisions and findings', 'timeline'],
  ['todo todos', 'To list what is open', 'open'],
  ['remember memories', 'To ask what was decided or found', 'recall QUESTION'],
  ['cost costs tokens spend', 'To see tokens and costs', 'usage'],
  ['settings set get preferences', 'To see all settings', 'config list'],
  ['install setup start', 'To set up your agents', 'init'],
  ['ui web page dashboard browser', 'To open the page in a browser', 'serve --open'],
  ['check health diagnose', 'To check the installation', 'doctor'],
  ['sync push', 'To copy sessions to the Qdrant server', 'migrate --to qdrant'],
  ['rebuild refresh', 'To build the index again', 'reindex'],
  ['clean purge', 'To remove smart-fork and its index', 'uninstall --purge'],
  ['version', 'To see the version', '--version'],
];

/** What to run instead of a word that is no command; null if it is not in the table. */
export function hintForWord(word: string): string | null {
  const row = OTHER_WORDS.find(([words]) => words.split(' ').includes(word.toLowerCase()));
  return row === undefined ? null : `${row[1]}: smart-fork ${row[2]}`;
}
