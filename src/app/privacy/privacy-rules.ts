import ignore, { type Ignore } from 'ignore';
import { sha256 } from '../../domain/text/hash.ts';
import type { PrivacySubject } from './privacy-subject.ts';

/** `privacy.exclude`. Each entry is a glob, or a name that includes everything below it. */
interface PrivacyExclude {
  /** `github.com/owner/name`, `github.com/owner`, `name`, `*-private`. */
  repositories?: string[];
  /** Folders an agent works in, or transcripts: `/srv/client`, `~/notes`, `*.secret`. */
  paths?: string[];
  /** Whole branch names: `release`, `secret/*`. */
  branches?: string[];
}

export interface PrivacySettings {
  exclude: PrivacyExclude;
  /** Text of `.smartforkignore` (.gitignore syntax, applied to working folders); null if there is none. */
  ignoreFileText: string | null;
  /** The folder that `~` stands for. */
  home?: string;
  /** The user's redaction patterns, which are part of the rules' name. */
  patterns?: { name: string; pattern: string }[];
}

export interface PrivacyRules {
  /** Changes with the rules, so that transcripts read under other rules are read again. */
  name: string;
  /** Whether the session may be stored. */
  allows(subject: PrivacySubject): boolean;
}

/** Ignores case: excluding too much does less harm than excluding too little. */
export function createPrivacyRules({
  exclude,
  ignoreFileText,
  home,
  patterns = [],
}: PrivacySettings): PrivacyRules {
  const repositories = ignore().add(
    (exclude.repositories ?? []).map((entry) => literal(repositoryOf(entry))),
  );
  const branches = ignore().add((exclude.branches ?? []).map((entry) => `/${relative(entry)}`));
  const paths = ignore().add((exclude.paths ?? []).map((entry) => literal(pathPattern(entry, home))));
  const lines = (ignoreFileText ?? '').split(/\r?\n/).filter((line) => !/^[#!]/.test(line));
  const folderNames = ignore().add(
    [...(exclude.paths ?? []), ...lines].flatMap((entry) => namePatterns(entry, home)),
  );
  const file = ignore().add((ignoreFileText ?? '').split(/\r?\n/).map((line) => filePattern(line, home)));
  return {
    name: sha256(JSON.stringify([exclude, ignoreFileText, patterns])).slice(7, 15),
    allows(subject) {
      const { path, workingDirectories } = subject;
      const names = subject.repositories.flatMap(({ repoKey, repoName }) => [repoKey, repoName]);
      if (names.some((name) => matches(repositories, name))) return false;
      if (subject.branches.some((branch) => matches(branches, branch))) return false;
      if ([path, ...workingDirectories].some((one) => matches(paths, one))) return false;
      // Of a session whose folder is unknown, only its transcript's path tells where it was.
      const parts = workingDirectories.length > 0 ? [] : path.split(/[\\/]/);
      if (parts.some((part) => matches(folderNames, nameOf(part)))) return false;
      return !isIgnored(file, workingDirectories, path);
    },
  };
}

/** Checks the working folders. The transcript's own path counts too, unless a `!` line includes the first folder again. */
function isIgnored(file: Ignore, workingDirectories: string[], path: string): boolean {
  const [first = { ignored: false, unignored: false }, ...others] = workingDirectories.map((one) =>
    test(file, one),
  );
  if (first.ignored || others.some(({ ignored }) => ignored)) return true;
  return !first.unignored && test(file, path).ignored;
}

function matches(rules: Ignore, value: string | null): boolean {
  return test(rules, value).ignored;
}

function test(rules: Ignore, value: string | null): { ignored: boolean; unignored: boolean } {
  const path = value === null ? '' : relative(value.slice(0, LONGEST_PATH));
  return path === '' || !ignore.isPathValid(path) ? { ignored: false, unignored: false } : rules.test(path);
}

/** No folder has a longer path. The ignore library takes one step of a recursion for each part. */
const LONGEST_PATH = 4096;

/** Converts a path to the form expected by the ignore library: forward slashes, no drive colon, no outer or double slashes. */
function relative(path: string): string {
  const parts = path
    .replaceAll('\\', '/')
    .replace(/^([A-Za-z]):(?=\/|$)/, '$1')
    .split('/');
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

function repositoryOf(entry: string): string {
  return entry
    .replace(/^[a-z+]+:\/\/(?:[^@/]*@)?/i, '')
    .replace(/\.git\/?$/, '')
    .replace(/(?<!\/)\/+$/, '');
}

/** An absolute path is anchored; any other path matches at any depth. */
function pathPattern(entry: string, home: string | undefined): string {
  const expanded = home !== undefined && /^~(?=[\\/]|$)/.test(entry) ? home + entry.slice(1) : entry;
  return /^(?:[\\/]|[A-Za-z]:)/.test(expanded) ? `/${relative(expanded)}` : relative(expanded);
}

/** Agents name a folder of transcripts by the path of the folder they worked in, with a hyphen for all other signs. */
function nameOf(path: string): string {
  return path
    .replace(/[^A-Za-z0-9*?]+/g, ' ')
    .trim()
    .replaceAll(' ', '-');
}

/** Patterns for the names of a folder and of those in it. A relative path matches at any depth. */
function namePatterns(entry: string, home: string | undefined): string[] {
  const pattern = pathPattern(entry, home);
  const name = nameOf(pattern);
  if (name === '') return [];
  const own = [name, `${name}-*`];
  return pattern.startsWith('/') ? own : [...own, `*-${name}`, `*-${name}-*`];
}

/** Escapes `#` and `!`, which have a meaning only in ignore files. */
function literal(pattern: string): string {
  return pattern.replace(/^[#!]/, '\\$&');
}

function filePattern(line: string, home: string | undefined): string {
  const [, not = '', rest = ''] = /^(!?)(.*)$/.exec(line) ?? [];
  const isPlace = /^~(?=[\\/]|$)/.test(rest) || /^[A-Za-z]:[\\/]/.test(rest);
  if (!isPlace) return line;
  return not + pathPattern(rest.trimEnd(), home) + (/[\\/]\s*$/.test(rest) ? '/' : '');
}
