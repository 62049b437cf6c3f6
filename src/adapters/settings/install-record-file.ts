import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AGENTS } from '../../domain/agent/agents.ts';
import type { InstallRecord } from '../../ports/agent-settings.ts';
import { readJson } from '../system/read-json.ts';
import { replaceFile } from '../system/replace-file.ts';

/** `installed.json` in smart-fork's home. */
export function createInstallRecord(home: string): InstallRecord {
  const path = join(home, 'installed.json');
  return {
    // Without the record, our entries are recognized by their content.
    load: () => recordSchema.safeParse(readJson(path)).data?.files ?? [],
    save(files) {
      if (files.length === 0) return rmSync(path, { force: true });
      mkdirSync(home, { recursive: true, mode: 0o700 });
      replaceFile(path, `${JSON.stringify({ files }, null, 2)}\n`);
    },
  };
}

const recordSchema = z.object({
  files: z.array(
    z.object({
      agent: z.enum(AGENTS),
      part: z.enum(['hooks', 'server', 'skill']),
      path: z.string(),
      existed: z.boolean(),
      keep: z.array(z.string()),
      written: z.string(),
      undo: z.object({ offset: z.number(), inserted: z.number(), removed: z.string() }),
      backup: z.string().nullable(),
      folders: z.array(z.string()).optional(),
    }),
  ),
});
