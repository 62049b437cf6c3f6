import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Job, jobName } from '../../domain/machine/job.ts';
import { hasCode } from '../system/has-code.ts';
import { makeFolder } from '../system/make-folder.ts';

/**
 * Adds a job to the spool. Atomic: writes a temporary file and renames it. The hook calls this: import only Node's own modules
 * here.
 */
export function writeJobFile(spool: string, job: Job): void {
  const name = jobName(job);
  const aside = join(spool, `.${name}.${process.pid}.${process.hrtime.bigint()}.tmp`);
  const text = JSON.stringify(job);
  try {
    writeNew(spool, aside, text);
    replace(aside, join(spool, `${name}.json`));
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/** Renaming over an existing file makes ext4 flush the new one to disk, which may take as long as the rest of the hook. */
function replace(from: string, to: string): void {
  if (existsSync(to)) rmSync(to, { force: true });
  renameSync(from, to);
}

function writeNew(spool: string, path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    makeFolder(spool);
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  }
}
