import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../files/temp-folder.ts';
import { type ClaudeLine, stampLines, writeClaude } from '../transcripts/claude-transcripts.ts';
import { createWorld, type World } from './world.ts';

/** A world with a server, and with a clone of a repository at its own path. */
export interface SharingWorld extends World {
  name: string;
  repository: string;
}

const REMOTE = 'git@github.com:acme/widgets.git';

/** Long enough for a busy machine; tests with a slow server use the real timeouts. */
const PATIENT = '30000';
export const IMPATIENT = { QDRANT_TIMEOUT_MS: '1200' };

export function createSharingWorld(
  name: string,
  url: string,
  env: Record<string, string> = {},
): SharingWorld {
  const world = createWorld(tempFolder(name));
  const repository = join(world.folder, `code-of-${name}`, 'widgets');
  mkdirSync(join(repository, '.git'), { recursive: true });
  writeFileSync(join(repository, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(repository, '.git/config'), `[remote "origin"]\n\turl = ${REMOTE}\n`);
  const more = { SMART_FORK_MACHINE: name, QDRANT_URL: url, QDRANT_TIMEOUT_MS: PATIENT, ...env };
  return { ...world, name, repository, env: { ...world.env, ...more } };
}

/** Writes a transcript of a session in the world's clone. */
export function writeSession(
  world: SharingWorld,
  sessionId: string,
  lines: ClaudeLine[],
  more: object = {},
): string {
  return writeClaude(
    world.claudeHome,
    sessionId,
    stampLines(lines, { sessionId, cwd: world.repository, ...more }),
  );
}
