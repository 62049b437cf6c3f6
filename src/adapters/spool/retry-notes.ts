import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeSafely } from './write-safely.ts';

export interface RetryNote {
  tries: number;
  /** Milliseconds since the epoch. */
  notBefore: number;
}

/** How often jobs have failed, a small file for each that did. */
export interface RetryNotes {
  /** By name; read anew each time, since there are hardly ever any. */
  all(): Map<string, RetryNote>;
  put(name: string, note: RetryNote): void;
  remove(name: string): void;
}

const noteSchema = z.object({ tries: z.number().int().min(0), notBefore: z.number() });

export function openRetryNotes(folder: string): RetryNotes {
  return {
    all() {
      const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
      return new Map(names.flatMap((name) => entryOf(folder, name)));
    },
    put: (name, note) => writeSafely(join(folder, `${name}.json`), JSON.stringify(note)),
    remove: (name) => rmSync(join(folder, `${name}.json`), { force: true }),
  };
}

function entryOf(folder: string, file: string): [string, RetryNote][] {
  try {
    const note = noteSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    return [[file.slice(0, -'.json'.length), note]];
  } catch {
    // A note that cannot be read is none: the job has its five tries again.
    return [];
  }
}
