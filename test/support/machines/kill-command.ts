import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import type { Random } from '../random.ts';
import { runCli } from './cli.ts';
import type { World } from './world.ts';

export interface KilledCommand {
  words: string[];
  env?: Record<string, string>;
}

const PRELOAD = pathToFileURL(join(import.meta.dirname, '../workers/kill-at-step.mjs')).href;

/** Runs a command in its own process, which kills itself (SIGKILL) before a step: a change to a file or a database. */
export async function runToStep(
  world: World,
  { words, env = {} }: KilledCommand,
  step: number | null,
): Promise<{ isKilled: boolean; steps: number }> {
  const report = `${world.folder}-steps`;
  rmSync(report, { force: true });
  const { signal, stderr, status } = await runCli(world, words, {
    env: {
      ...env,
      NODE_OPTIONS: `--import=${PRELOAD}`,
      SMART_FORK_TEST_STEPS: report,
      SMART_FORK_TEST_KILL_AT: step === null ? undefined : String(step),
    },
  });
  const isKilled = signal === 'SIGKILL';
  if (!isKilled && status !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  return { isKilled, steps: isKilled ? (step ?? 0) : Number(readFileSync(report, 'utf8')) };
}

/** Random steps spread over a command's: one in each of equal parts. */
export function randomSteps(steps: number, kills: number, random: Random): number[] {
  const part = steps / kills;
  return Array.from({ length: kills }, (_, at) =>
    Math.floor(at * part + random(Math.max(1, Math.ceil(part)))),
  );
}

/** Saves a world's files, to start over from them at the same paths. */
export function keepWorld(world: World, copy: string): () => void {
  cpSync(world.folder, copy, { recursive: true });
  return () => {
    rmSync(world.folder, { recursive: true, force: true, maxRetries: 5 });
    mkdirSync(world.folder);
    cpSync(copy, world.folder, { recursive: true });
  };
}

/** All that the index has about each session, as one text. */
export function sessionsIn(home: string): Map<string, string> {
  const database = openDatabase(join(home, 'index.db'));
  try {
    const rows = database
      .prepare(
        `SELECT s.session_id AS id, s.content_hash AS hash, s.payload AS payload,
           (SELECT group_concat(hex(p.id) || hex(p.content_hash) || hex(p.payload), char(10))
            FROM (SELECT * FROM points WHERE session = s.rowid ORDER BY id) p) AS points
         FROM sessions s ORDER BY s.session_id`,
      )
      .all();
    return new Map(rows.map((row) => [String(row.id), `${row.hash} ${row.payload}\n${row.points}`]));
  } finally {
    database.close();
  }
}
