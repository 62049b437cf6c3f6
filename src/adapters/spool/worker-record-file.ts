import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { workerRecord } from '../../domain/json/worker-record.ts';
import type { WorkerRecords } from '../../ports/job-spool.ts';
import { readJson } from '../system/read-json.ts';
import { replaceFile } from '../system/replace-file.ts';

const recordSchema = workerRecord.extend({
  pid: z.number().int().positive().nullable(),
  helpedAt: z.string().nullable().default(null),
});

/** The worker's record as a file that hooks can read without a parser, next to the marker `worker.starting` of the hooks. */
export function createWorkerRecordFile(home: string): WorkerRecords {
  const path = join(home, 'worker.json');
  return {
    read: () => recordSchema.safeParse(readJson(path)).data ?? null,
    write: (record) => replaceFile(path, JSON.stringify(record)),
    started: () => rmSync(join(home, 'worker.starting'), { force: true }),
  };
}
