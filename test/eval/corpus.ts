import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findShared } from '../support/files/find-shared.ts';

/** One agent's transcripts, with a file of queries. */
export interface Corpus {
  name: string;
  agent: 'claude' | 'codex';
  home: string;
  queries: string;
}

/**
 * The corpora in a folder: `claude/` and `codex/`, or an agent's own home. Defaults to those next to the repository, else the bundled
 * examples.
 */
export function findCorpora(folder?: string, queries?: string): { corpora: Corpus[]; examples: boolean } {
  const shared = findShared('corpora');
  const root = resolve(folder ?? shared ?? 'examples');
  const file = queries === undefined ? queriesIn(root) : resolve(queries);
  const corpora = AGENTS.flatMap(({ agent, name, below }): Corpus[] => {
    const home = [join(root, agent), root].find((candidate) => existsSync(join(candidate, below)));
    return home === undefined || file === null ? [] : [{ name, agent, home, queries: file }];
  });
  return { corpora, examples: folder === undefined && shared === null };
}

/** Paths of all transcripts. */
export function transcriptPaths({ agent, home }: Corpus): string[] {
  const folder = join(home, agent === 'claude' ? 'projects' : 'sessions');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name));
}

const AGENTS = [
  { agent: 'claude', name: 'Claude Code', below: 'projects' },
  { agent: 'codex', name: 'Codex', below: 'sessions' },
] as const;

function queriesIn(root: string): string | null {
  const files = ['queries.jsonl', 'commits.jsonl'].map((name) => join(root, name));
  return files.find((path) => existsSync(path)) ?? null;
}
