import { basename, dirname, join } from 'node:path';
import { resolveLinks } from '../../files/resolve-links.ts';

/** Where Claude Code looks for a session's transcript from a working directory. */
export function restorePath(root: string, sessionId: string, workingDirectory: string): string {
  return join(root, projectSlug(workingDirectory), `${sessionId}.jsonl`);
}

/**
 * Claude Code finds a session by id only if the id is a UUID and the transcript is in the project folder of the current directory.
 * (Versions before 2.1.3xx look nowhere else; later ones give up if two projects have the id.) It accepts a path from any
 * directory.
 */
export function resumeTarget(
  roots: string[],
  { sessionId, path }: { sessionId: string; path: string },
  workingDirectory: string | null,
): string {
  if (workingDirectory === null || !UUID.test(sessionId) || basename(path, '.jsonl') !== sessionId)
    return path;
  const project = dirname(path);
  const found = dirname(project) === roots[0] && basename(project) === projectSlug(workingDirectory);
  return found ? sessionId : path;
}

/** The name of Claude Code's project folder for a working directory. */
export function projectSlug(workingDirectory: string): string {
  const path = resolveLinks(workingDirectory).normalize('NFC');
  const slug = path.replace(/[^a-zA-Z0-9]/g, '-');
  return slug.length <= LONGEST_SLUG
    ? slug
    : `${slug.slice(0, LONGEST_SLUG)}-${Math.abs(hash(path)).toString(36)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LONGEST_SLUG = 200;

/** A 32-bit rolling hash over UTF-16 units, as Claude Code computes it. */
function hash(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = ((sum << 5) - sum + text.charCodeAt(at)) | 0;
  return sum;
}
