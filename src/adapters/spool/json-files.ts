import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { readJson } from '../system/read-json.ts';
import { replaceFile } from '../system/replace-file.ts';

/** Small JSON files in a folder, by name. The folder is usually empty, so nothing is cached. */
export interface JsonFiles<T> {
  names(): string[];
  /** Skips unreadable files. */
  all(): Map<string, T>;
  put(name: string, value: T): void;
  remove(name: string): void;
}

export function openJsonFiles<T>(folder: string, schema: z.ZodType<T>): JsonFiles<T> {
  const pathOf = (name: string) => join(folder, `${name}.json`);
  const names = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length));
  return {
    names,
    all: () => new Map(names().flatMap((name) => entryOf(name, pathOf(name), schema))),
    put: (name, value) => replaceFile(pathOf(name), JSON.stringify(value)),
    remove: (name) => rmSync(pathOf(name), { force: true }),
  };
}

function entryOf<T>(name: string, path: string, schema: z.ZodType<T>): [string, T][] {
  const { success, data } = schema.safeParse(readJson(path));
  return success ? [[name, data]] : [];
}
