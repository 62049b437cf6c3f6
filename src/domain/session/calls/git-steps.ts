import { commitSubject } from '../commit-subject.ts';

/** What a command does to commits, or to the branch. `subject`: of the message in the command, or empty; `to`: the revision that `git reset` names. */
export type GitStep =
  | { does: 'commit' | 'amend'; subject: string }
  | { does: 'rebase' }
  | { does: 'reset'; to: string }
  | { does: 'switch'; branch: string };

const LOOKED_AT = 20_000;

/**
 * The steps of a shell command, in order; undefined if there are none.
 * @param isHere whether it runs in the session's folder: elsewhere, a branch is another checkout's.
 */
export function gitSteps(command: string, isHere = true): GitStep[] | undefined {
  if (!/\bgit\s/.test(command)) return undefined;
  let here = isHere;
  const steps: GitStep[] = [];
  const script = command.slice(0, LOOKED_AT);
  for (const words of simpleCommands(withoutHereDocuments(script))) {
    if (words[0] === 'cd') here = false;
    const at = words.findIndex((word) => !BEFORE.test(word));
    if (!/(?:^|\/)git$/.test(words[at] ?? '')) continue;
    const args = words.slice(at + 1);
    while (args[0]?.startsWith('-')) if (WITH_VALUE.has(args.shift() ?? '')) args.shift();
    const step = stepOf(args[0] ?? '', args.slice(1), script);
    if (step !== null && (step.does !== 'switch' || (here && !words.includes('-C')))) steps.push(step);
  }
  return steps.length === 0 ? undefined : steps;
}

/** Variables, wrappers of git and words of the shell. */
const BEFORE = /^(?:\w+=.*|rtk|sudo|env|command|time|exec|if|then|else|do|!)$/;
const WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree']);

function stepOf(subcommand: string, args: string[], script: string): GitStep | null {
  const named = args.filter((arg) => !arg.startsWith('-'));
  const has = (...flags: string[]) => flags.some((flag) => args.includes(flag));
  switch (subcommand) {
    case 'commit':
      return has('--dry-run')
        ? null
        : { does: has('--amend') ? 'amend' : 'commit', subject: commitSubject(script) };
    case 'rebase':
      return has('--abort', '--quit') ? null : { does: 'rebase' };
    case 'pull':
      return has('--rebase', '-r') ? { does: 'rebase' } : null;
    case 'reset':
      // More names are files, which leave the commits alone.
      return named.length === 1 && !has('--', '-p') ? { does: 'reset', to: named[0] ?? '' } : null;
    case 'switch':
      return named[0] === undefined || has('--detach', '-d') ? null : { does: 'switch', branch: named[0] };
    case 'checkout': {
      const isBranch = has('-b', '-B') || (args.length === 1 && !NO_BRANCH.test(args[0] ?? ''));
      return isBranch && named[0] !== undefined ? { does: 'switch', branch: named[0] } : null;
    }
    default:
      return null;
  }
}

/** A file, an option, HEAD or a commit. */
const NO_BRANCH = /^(?:-.*|\.|.*\.\w{1,5}|.*\/|HEAD.*|[\da-f]{7,40})$/;

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

const HERE = /<<-?\s{0,3}['"\\]?([A-Za-z_]\w{0,40})/;

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
    else if (/[\s|;&()]/.test(char)) {
      endWord();
      if (/[ \t]/.test(char)) continue;
      commands.push(words);
      words = [];
    } else word += char;
  }
  endWord();
  return [...commands, words];
}
