import { statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { memoryStats } from '../../app/memory/memory-stats.ts';
import { runningSessions } from '../../compose/sessions/running-sessions.ts';
import { AGENTS } from '../../domain/agent/agents.ts';
import { namesOf } from '../../domain/agent/by-agent.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';
import { renderIndexSummary } from '../index/render-index-summary.ts';
import { runIndexing } from '../index/run-indexing.ts';
import type { CommandContext } from '../run-command.ts';
import { renderMemoryStats } from './render-memory.ts';

export interface Backfill {
  path?: string;
  all?: boolean;
  json?: boolean;
}

/** Reads transcripts again, with everything that is extracted from them. */
export async function runBackfill(context: CommandContext, options: Backfill): Promise<void> {
  const { parts, terminal } = context;
  const files = selectFiles(context, options);
  const summary = await runIndexing(context, {
    force: true,
    embed: false,
    keep: false,
    quiet: options.json === true,
    files: files ?? undefined,
  });
  const stats = await memoryStats(
    { store: await parts.local() },
    files === null ? {} : { sessionIds: idsOf(files) },
  );
  if (options.json === true) return terminal.out(JSON.stringify({ ...summary, memory: stats }));
  terminal.out(renderIndexSummary(summary, terminal));
  terminal.out(`\n${renderMemoryStats(stats, terminal)}`);
}

/** Null means all. */
export function selectFiles({ parts }: CommandContext, { path, all }: Backfill): TranscriptFile[] | null {
  if (all === true && path !== undefined)
    throw new SmartForkError('USAGE', '--all takes no path', { hint: 'Give a path, or --all.' });
  if (all === true) return null;
  const found = parts.sources.flatMap((source) => source.find());
  if (path === undefined) return ofRunning(runningSessions(parts), found);
  const wanted = resolve(path);
  if (statSync(wanted, { throwIfNoEntry: false })?.isDirectory() === true) {
    const within = found.filter((file) => resolve(file.path).startsWith(wanted + sep));
    if (within.length > 0) return within;
  } else {
    for (const source of parts.sources) {
      const file = source.inspect(wanted);
      if (file !== null) return [file];
    }
  }
  throw new SmartForkError('SESSION_NOT_FOUND', `no ${namesOf(AGENTS, 'or')} transcript at ${path}`, {
    hint: 'Give a .jsonl file, a folder below ~/.claude/projects or ~/.codex/sessions, or --all.',
  });
}

function ofRunning(running: string[], found: TranscriptFile[]): TranscriptFile[] {
  const own = found.filter(({ sessionId }) => running.includes(sessionId));
  if (own.length > 0) return own;
  throw new SmartForkError('USAGE', 'not running inside a session with a known id', {
    hint: 'Give a transcript, a folder or --all.',
  });
}

function idsOf(files: TranscriptFile[]): string[] {
  return files.map(({ sessionId }) => sessionId);
}
