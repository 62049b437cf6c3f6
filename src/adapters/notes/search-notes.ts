import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SearchNotes } from '../../ports/machine.ts';
import { readRegularText } from '../system/regular-file.ts';
import { replaceFile } from '../system/replace-file.ts';

interface Notes {
  models: Record<string, string>;
  told: Record<string, string>;
  sizes: Record<string, string>;
}

/** Notes in a small JSON file, the newest of each kind last. A damaged file counts as empty. Parsed by hand, because every search reads it, and loading zod would take longer than everything else. */
export function createSearchNotes(path: string): SearchNotes {
  const note = (part: keyof Notes, name: string, value: string) => {
    const notes = readNotes(path);
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const { [name]: _, ...others } = notes[part];
      replaceFile(path, JSON.stringify({ ...notes, [part]: { ...others, [name]: value } }));
    } catch {
      // A search must not fail because of a read-only home.
    }
  };
  return {
    modelFolder: (id) => readNotes(path).models[id] ?? null,
    setModelFolder: (id, folder) => note('models', id, folder),
    lastModelFolder: () => Object.values(readNotes(path).models).at(-1) ?? null,
    toldOn: (what) => readNotes(path).told[what] ?? null,
    setToldOn: (what, day) => note('told', what, day),
    sessionsIn: (collection) => {
      const noted = readNotes(path).sizes[collection];
      return noted === undefined || !/^\d+$/.test(noted) ? null : Number(noted);
    },
    setSessionsIn: (collection, sessions) => note('sizes', collection, String(sessions)),
  };
}

function readNotes(path: string): Notes {
  try {
    const { models, told, sizes }: Partial<Record<string, unknown>> = JSON.parse(readRegularText(path));
    return { models: textsIn(models), told: textsIn(told), sizes: textsIn(sizes) };
  } catch {
    // Missing, or not JSON.
    return { models: {}, told: {}, sizes: {} };
  }
}

/** Empty unless the value is an object of strings. */
function textsIn(value: unknown): Record<string, string> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isRecord ? Object.entries(value) : [];
  return entries.every(([, text]) => typeof text === 'string') ? Object.fromEntries(entries) : {};
}
