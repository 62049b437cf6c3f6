import { commitSubjects } from '../commit-subject.ts';

/**
 * What a command does to commits, or to the branch. `subject`: of the message in the command, or empty; `to`: the revision that `git reset`
 * names; `elsewhere`: in another folder than the session's; `branch`: empty if the command does not tell; `sure`: it can be no other branch
 * and no file, so that git need not name it; `looks`: the command also runs `git status`, which says that nothing is to commit after a commit; `quiet`: git does not name the branch.
 */
export type GitStep =
  | { does: 'commit' | 'amend'; subject: string; looks?: true }
  | { does: 'rebase'; elsewhere?: true }
  | { does: 'reset'; to: string }
  | { does: 'switch'; branch: string; sure: boolean; quiet?: true };

const LOOKED_AT = 20_000;

/**
 * The steps of a shell command, in order; undefined if there are none.
 * @param isHere whether it runs in the session's folder: elsewhere, branches and resets are another checkout's.
 * @param folder the session's folder, if known.
 */
export function gitSteps(
  command: string,
  isHere = true,
  folder: string | null = null,
): GitStep[] | undefined {
  if (!/\bgit\s/.test(command)) return undefined;
  let place: Place = isHere ? 'here' : 'elsewhere';
  const steps: GitStep[] = [];
  const elsewhere = new Set<GitStep['does']>();
  const script = command.slice(0, LOOKED_AT);
  for (const all of simpleCommands(withoutHereDocuments(script))) {
    const words = withoutRedirections(all);
    if (words[0] === 'cd') place = placeOf(words[1] ?? '~', folder, place);
    const at = words.findIndex((word) => !BEFORE.test(word));
    if (!/(?:^|\/)git$/.test(words[at] ?? '')) continue;
    const args = words.slice(at + 1);
    let own = place;
    while (args[0]?.startsWith('-')) {
      const option = args.shift() ?? '';
      const value = WITH_VALUE.has(option) ? (args.shift() ?? '') : '';
      if (option === '-C') own = placeOf(value, folder, own);
    }
    const step = stepOf(args[0] ?? '', args.slice(1));
    if (step === null) continue;
    if (step.does === 'switch' && !script.includes('||') && isQuiet(args, all)) step.quiet = true;
    // A trial in a temporary folder.
    if ('subject' in step && own === 'elsewhere' && script.includes('mktemp')) continue;
    if (isOf(step, own)) steps.push(step);
    else if (step.does === 'rebase') steps.push({ ...step, elsewhere: true });
    else elsewhere.add(step.does);
  }
  // What git says of two checkouts cannot be told apart.
  const kept = steps.filter(({ does }) => does !== 'switch' || !elsewhere.has(does));
  nameCommits(kept, script);
  if (STATUS.test(script)) for (const step of kept) if ('subject' in step) step.looks = true;
  // Which of two ways was taken, the command does not tell.
  if (script.includes('||')) for (const step of kept) if (step.does === 'switch') step.sure = false;
  return kept.length === 0 ? undefined : kept;
}

const STATUS = /\bgit (?:-[^|;&\n]{0,300} )?status\b/;

/** What a call of git committed, if it passed. Wrappers and pipes hide that there was nothing to commit, but not that git said so. */
export function commitsOf(steps: GitStep[], uncommitted = false): Extract<GitStep, { subject: string }>[] {
  return steps.flatMap((step) => ('subject' in step && !(uncommitted && step.looks !== true) ? [step] : []));
}

/** The session's folder; one inside or around it, most likely of the same checkout; or another. */
type Place = 'here' | 'near' | 'elsewhere';

function placeOf(target: string, folder: string | null, from: Place): Place {
  const path = target.replace(/(?<=.)\/$/, '');
  if (path === '.' || path === '') return from;
  if (path === folder) return 'here';
  if (folder !== null && (`${path}/`.startsWith(`${folder}/`) || folder.startsWith(`${path}/`)))
    return 'near';
  return /^(?:\.\.|[/~$-]|\w:)/.test(path) || from === 'elsewhere' ? 'elsewhere' : 'near';
}

/** A folder nearby may still be a worktree or a submodule, with a branch of its own. */
function isOf({ does }: GitStep, place: Place): boolean {
  if (does === 'switch') return place === 'here';
  return does === 'commit' || does === 'amend' || place !== 'elsewhere';
}

/** If messages and commits do not match, only the first is named. */
function nameCommits(steps: GitStep[], script: string): void {
  const subjects = commitSubjects(script);
  const commits = steps.filter((step) => 'subject' in step && step.subject !== '');
  for (const [at, step] of commits.entries())
    if ('subject' in step)
      step.subject = at === 0 || subjects.length === commits.length ? (subjects[at] ?? '') : '';
}

/** git names branches on stderr. */
function isQuiet(args: string[], all: string[]): boolean {
  return (
    args.some((arg) => /^(?:--quiet|-[a-pr-zA-Z]{0,9}q[a-zA-Z]{0,9})$/.test(arg)) ||
    all.some((word) => /^(?:2|&)>(?!&)/.test(word))
  );
}

function withoutRedirections(words: string[]): string[] {
  return words.filter(
    (word, at) => !REDIRECTION.test(word) && !/^(?:\d{0,2}|&)[<>]+$/.test(words[at - 1] ?? ''),
  );
}

const REDIRECTION = /^(?:\d{0,2}|&)[<>]/;

/** Variables, wrappers of git and words of the shell. */
const BEFORE = /^(?:\w+=.*|rtk|sudo|env|command|time|exec|if|then|else|do|!)$/;
const WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree']);

/** The subject of a commit with a message is filled in later. */
function stepOf(subcommand: string, args: string[]): GitStep | null {
  const named = args.filter((arg) => !arg.startsWith('-'));
  const has = (...flags: string[]) => flags.some((flag) => args.includes(flag));
  switch (subcommand) {
    case 'commit': {
      const subject =
        args.find((arg, at) => MESSAGE.test(arg) || (arg === '-' && FILE.test(args[at - 1] ?? ''))) ?? '';
      return has('--dry-run') ? null : { does: has('--amend') ? 'amend' : 'commit', subject };
    }
    case 'rebase':
      return has('--abort', '--quit') ? null : { does: 'rebase' };
    case 'pull':
      return has('--rebase', '-r') ? { does: 'rebase' } : null;
    case 'reset': {
      const [to = ''] = named;
      // More names are files, which leave the commits alone; so is one without a mode, unless it looks like a revision.
      const isRevision = has('--hard', '--soft', '--mixed', '--keep', '--merge') || A_REVISION.test(to);
      return named.length === 1 && isRevision && !has('--', '-p') ? { does: 'reset', to } : null;
    }
    case 'switch':
      return has('--detach', '-d') ? null : switchTo(args, ['-c', '-C', '--create', '--force-create'], true);
    case 'checkout':
      return has('--') || named.length > 1
        ? switchTo(args, ['-b', '-B'])
        : switchTo(args, ['-b', '-B'], false);
    default:
      return null;
  }
}

/** @param sure of a branch that is not new; undefined if only a new one can be meant. */
function switchTo(args: string[], creating: string[], sure?: boolean): GitStep | null {
  const flag = args.findIndex((arg) => creating.includes(arg));
  const isNew = flag >= 0;
  if (!isNew && sure === undefined) return null;
  const branch = isNew ? args[flag + 1] : args.find((arg) => !arg.startsWith('-'));
  const isPlain = branch !== undefined && /^[^-$`][^$`*?]*$/.test(branch) && !args.includes('--track');
  if (!isPlain && args.length === 0) return null;
  return { does: 'switch', branch: isPlain ? branch : '', sure: isPlain && (isNew || sure === true) };
}

/** Of a message in the command. */
const MESSAGE = /^(?:-[a-z]*m|--message|(?:-[a-z]*F|--file=)-$)/;
const FILE = /^(?:-[a-z]*F|--file)$/;
const A_REVISION = /^(?:(?:ORIG_)?HEAD|@|[\da-f]{7,64}(?:[~^]|$)|(?:origin|upstream)\/)/;

function withoutHereDocuments(command: string): string {
  let kept = '';
  let rest = command;
  for (;;) {
    const start = HERE.exec(rest);
    if (start === null) return kept + rest;
    kept += rest.slice(0, start.index);
    const end = rest.indexOf(`\n${start[1]}`, start.index);
    if (end < 0) return kept;
    rest = rest.slice(end + 1 + (start[1]?.length ?? 0));
  }
}

const HERE = /(?<!<)<<-?\s{0,3}['"\\]?([A-Za-z_]\w{0,40})/;

/** The words of each command of a script, without quotes. */
function simpleCommands(script: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word = '';
  let quote = '';
  const endWord = () => {
    if (word !== '') words.push(word);
    word = '';
  };
  for (let at = 0; at < script.length; at += 1) {
    const char = script.charAt(at);
    if (char === '\\' && quote !== "'") {
      at += 1;
      word += script.charAt(at).trim();
    } else if (char === quote) quote = '';
    else if (quote !== '') word += char;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '#' && word === '' && /^\s?$/.test(script.charAt(at - 1))) {
      // A comment, which may have an apostrophe.
      const end = script.indexOf('\n', at);
      at = end < 0 ? script.length : end - 1;
    } else if (char === '&' && word.endsWith('>')) word += char;
    else if (char === '&' && script.charAt(at + 1) === '>') {
      endWord();
      word = char;
    } else if (/[\s|;&()]/.test(char)) {
      endWord();
      if (/[ \t]/.test(char)) continue;
      commands.push(words);
      words = [];
    } else word += char;
  }
  endWord();
  return [...commands, words];
}
