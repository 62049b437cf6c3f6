import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { everyNth, isSlow } from '../campaign.ts';
import { findShared } from './find-shared.ts';
import { tempFolder } from './temp-folder.ts';

/** Folders `claude` and `codex` of real transcripts: every nth one in a quick run, all in a slow one. */
export function sampleCorpora(n: number): string {
  const corpora = findShared('corpora');
  if (corpora === null) throw new Error('there are no corpora');
  if (isSlow) return corpora;
  const sample = tempFolder('corpora');
  for (const agent of ['claude', 'codex']) {
    const names = readdirSync(join(corpora, agent), { recursive: true }).map(String);
    const transcripts = names.filter((name) => /\.jsonl(?:\.zst)?$/.test(name)).toSorted();
    for (const name of everyNth(n, transcripts))
      cpSync(join(corpora, agent, name), join(sample, agent, name));
  }
  return sample;
}
