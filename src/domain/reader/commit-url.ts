import type { Commit } from '../session/session.ts';

/** A commit's URL on known hosts; null elsewhere. `repoKey` is `host/owner/name`. */
export function commitUrl(repoKey: string | null, { hash }: Pick<Commit, 'hash'>): string | null {
  const [host = '', ...path] = repoKey?.split('/') ?? [];
  const place = HOSTS[host];
  if (place === undefined || path.length < 2) return null;
  return `https://${host}/${path.map(encodeURIComponent).join('/')}/${place}/${hash}`;
}

const HOSTS: Record<string, string> = {
  'github.com': 'commit',
  'gitlab.com': '-/commit',
  'bitbucket.org': 'commits',
  'codeberg.org': 'commit',
};
