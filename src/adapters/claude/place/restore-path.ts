import { basename, dirname } from 'node:path';
import { projectSlug } from './project-slug.ts';

/**
 * Claude Code finds a session by its id only when that is a UUID and the transcript lies in the project folder of the
 * directory it is started in (versions before 2.1.3xx look nowhere else, later ones give up when two projects have the
 * id). A path it takes from anywhere.
 */
export function resumeTarget(
  roots: string[],
  { sessionId, path }: { sessionId: string; path: string },
  workingDirectory: string | null,
): string {
  if (workingDirectory === null || !UUID.test(sessionId)) return path;
  const project = dirname(path);
  const found = dirname(project) === roots[0] && basename(project) === projectSlug(workingDirectory);
  return found ? sessionId : path;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
