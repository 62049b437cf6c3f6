import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import type { SearchNotes } from '../../ports/machine.ts';
import { replaceFile } from '../system/replace-file.ts';

const texts = z.record(z.string(), z.string()).catch({});
const schema = z.object({ models: texts, told: texts }).catch({ models: {}, told: {} });
type Notes = z.infer<typeof schema>;

/** Notes in a small JSON file. A damaged one counts as empty. */
export function createSearchNotes(path: string): SearchNotes {
  const note = (part: keyof Notes, name: string, value: string) => {
    const notes = readNotes(path);
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      replaceFile(path, JSON.stringify({ ...notes, [part]: { ...notes[part], [name]: value } }));
    } catch {
      // A read-only home: a search must not fail for it.
    }
  };
  return {
    modelFolder: (id) => readNotes(path).models[id] ?? null,
    setModelFolder: (id, folder) => note('models', id, folder),
    toldOn: (what) => readNotes(path).told[what] ?? null,
    setToldOn: (what, day) => note('told', what, day),
  };
}

function readNotes(path: string): Notes {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Not there yet, or not JSON.
    return { models: {}, told: {} };
  }
}
