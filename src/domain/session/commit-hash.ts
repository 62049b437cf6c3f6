import type { Commit } from './session.ts';

/** git prints at least seven digits. */
export const MIN_DIGITS = 7;

/** Whether two hashes, possibly abbreviated, can belong to the same commit. */
export function isSameCommit(one: string, other: string): boolean {
  return one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one));
}

/** A commit on a line. Wrappers of git and quiet commands print no hash. */
export function commitText({ hash, subject }: Pick<Commit, 'hash' | 'subject'>, digits = 8): string {
  if (hash !== '') return `${hash.slice(0, digits)} ${subject}`;
  return subject === '' ? '(neither hash nor message printed)' : `${subject} (hash not printed)`;
}

/** The hash of a commit, or one from before it was amended or rebased, that can be this one. */
export function hashIn({ hash, earlier = [] }: Commit, wanted: string): string | undefined {
  return [hash, ...earlier].find((one) => isSameCommit(one, wanted));
}

/** What became of a commit that was amended or rebased. */
export function nowText(hash: string): string {
  return hash === '' ? ', replaced since' : `, now ${hash}`;
}

/** What stores compare: the starts of a commit's hash and of its earlier ones. */
export function commitStarts({ hash, earlier = [] }: Commit): string[] {
  return [hash, ...earlier].filter((one) => one !== '').map(commitStart);
}

/** The digits that every abbreviation contains. */
export function commitStart(hash: string): string {
  return hash.slice(0, MIN_DIGITS);
}
