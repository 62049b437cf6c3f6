import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, type Problem, problemOf, SmartForkError } from '../../domain/errors.ts';
import { hasCode } from '../system/has-code.ts';
import { readRegularText } from '../system/regular-file.ts';
import { folderName, MANIFEST } from './folder-name.ts';
import { partName, readManifest } from './manifest.ts';
import { damaged, readPart, wholeParts } from './part-files.ts';

/** See `SessionArchive.verify`. Skips transcripts that are archived again in the meantime. */
export async function verifyArchive(folder: string, budgetMs: number): Promise<Problem[]> {
  const until = performance.now() + budgetMs;
  const problems: Problem[] = [];
  for (const name of names(folder)) {
    const place = join(folder, name);
    const before = manifestText(place);
    if (before === null) continue;
    const found = await faultIn(place, name, before, () => performance.now() < until);
    if (found !== null && manifestText(place) === before) problems.push(problemOf(found));
  }
  return problems;
}

async function faultIn(
  place: string,
  name: string,
  text: string,
  hasTime: () => boolean,
): Promise<SmartForkError | null> {
  const path = join(place, MANIFEST);
  const manifest = readManifest(text);
  if (manifest === null) return damaged(path, 'not a manifest');
  if (folderName(manifest.sessionId) !== name) return damaged(path, 'the manifest of another session');
  const whole = wholeParts(place, manifest.parts);
  for (const [index, part] of manifest.parts.entries()) {
    const file = partName(index, part.digest);
    if (!whole.has(file)) return damaged(join(place, file), 'it is missing or has another size');
    if (!hasTime()) continue;
    try {
      await readPart(join(place, file), part);
    } catch (error) {
      return error instanceof SmartForkError ? error : damaged(join(place, file), errorText(error), error);
    }
  }
  return null;
}

/** Null for a folder without a manifest, which counts as empty. */
function manifestText(place: string): string | null {
  try {
    return readRegularText(join(place, MANIFEST));
  } catch (error) {
    return hasCode(error, 'ENOENT', 'ENOTDIR') ? null : '';
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is no archive, or it is unreadable, which its size reports.
    return [];
  }
}
