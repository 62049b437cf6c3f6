import { nodeCrypto } from '../text/hash.ts';
import type { Commit } from './session.ts';

/** First 8 hex digits of the SHA-256 of a path in lower case, with `/` instead of `\` and without a trailing slash. */
export function repoId(path: string): string {
  return nodeCrypto().createHash('sha256').update(normalised(path)).digest('hex').slice(0, 8);
}

/** Whether two paths have the same `repoId`, without computing it. */
export function isSamePath(one: string, other: string): boolean {
  return normalised(one) === normalised(other);
}

function normalised(path: string): string {
  return path
    .replaceAll('\\', '/')
    .toLowerCase()
    .replace(/(?<!\/)\/+$/, '');
}

/** The last part of a POSIX or Windows path. */
export function repoName(path: string): string {
  return (
    path
      .replace(/(?<![\\/])[\\/]+$/, '')
      .split(/[\\/]/)
      .at(-1) || path
  );
}

/** `host/owner/name` in lower case, from a git remote's URL; null for a local path or an empty URL. */
export function repoKey(remoteUrl: string): string | null {
  const url = remoteUrl.trim();
  if (/[\n\r\u2028\u2029]/.test(url)) return null;
  // A password may contain an @, so everything up to the last one is dropped.
  const scheme = /^(?:https?|ssh|git|git\+ssh):\/\/(?:[^/]*@)?(\[[^\][@/]+\]|[^:/@]+)(?::\d+)?\/(.+)$/i.exec(
    url,
  );
  const scp = /^(?:[^/\s]+@)?([^:/@\s\\]{2,}):(?!\/\/)(.+)$/s.exec(url);
  const match = scheme ?? scp;
  const host = match?.[1];
  const path = match?.[2]?.replace(/^\/+|(?<!\/)\/+$/g, '').replace(/\.git$/i, '');
  if (host === undefined || path === undefined || !path.includes('/')) return null;
  return `${host}/${path}`.toLowerCase();
}

/** A commit's URL on known hosts; null elsewhere. `repoKey` is `host/owner/name`. */
export function commitUrl(repoKey: string | null, { hash }: Pick<Commit, 'hash'>): string | null {
  const [host = '', ...path] = repoKey?.split('/') ?? [];
  const place = HOSTS[host];
  if (place === undefined || path.length < 2 || hash === '') return null;
  return `https://${host}/${path.map(encodeURIComponent).join('/')}/${place}/${hash}`;
}

const HOSTS: Record<string, string> = {
  'github.com': 'commit',
  'gitlab.com': '-/commit',
  'bitbucket.org': 'commits',
  'codeberg.org': 'commit',
};
