import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { PageLogin, PageLogins } from '../../ports/page-logins.ts';
import { hasCode } from '../system/has-code.ts';
import { makeFolder } from '../system/make-folder.ts';
import { readRegularText } from '../system/regular-file.ts';
import { replaceFile } from '../system/replace-file.ts';

const MINUTE_MS = 60_000;
const ID = /^[0-9a-f]{32}$/;

/** A file per login, so that processes need not agree: creating one signs a browser in, deleting it ends that. Its time is the last use. */
export function createLoginFiles(folder: string, now: () => number = Date.now): PageLogins {
  const pathOf = (id: string) => join(folder, `${id}.json`);
  const end = (id: string) => rmSync(pathOf(id), { force: true });
  const read = (id: string): PageLogin | null => {
    if (!ID.test(id)) return null;
    const found = readRecord(pathOf(id), id);
    if (found === null || Date.parse(found.expires) > now()) return found;
    end(id);
    return null;
  };
  return {
    add(id, { expires, browser }) {
      makeFolder(folder);
      replaceFile(
        pathOf(id),
        `${JSON.stringify({ since: new Date(now()).toISOString(), expires, browser })}\n`,
      );
    },
    use(id) {
      const login = read(id);
      if (login === null) return false;
      if (now() - Date.parse(login.last_used) > MINUTE_MS) touch(pathOf(id), now());
      return true;
    },
    list: () =>
      idsIn(folder)
        .flatMap((id) => read(id) ?? [])
        .toSorted((a, b) => b.last_used.localeCompare(a.last_used)),
    end,
  };
}

function idsIn(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? name.slice(0, -5) : []));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Null if the login was ended, or the file is damaged. */
function readRecord(path: string, id: string): PageLogin | null {
  try {
    const { since, expires, browser } = JSON.parse(readRegularText(path));
    const isRecord = typeof since === 'string' && Date.parse(expires) > 0;
    const last_used = statSync(path).mtime.toISOString();
    return isRecord
      ? { id, since, last_used, expires, browser: typeof browser === 'string' ? browser : null }
      : null;
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Another process may end the login at the same moment. */
function touch(path: string, at: number): void {
  try {
    utimesSync(path, at / 1000, at / 1000);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}
