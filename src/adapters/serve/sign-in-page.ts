import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../system/make-folder.ts';

/**
 * Writes a page that only this user can read, and that sends the browser on to an address with a code in it: every user can read the
 * command line on which a browser is given an address.
 */
export function writeSignInPage(folders: { home: string; user: string }, address: string): SignInPage {
  const folder = makePrivateFolder(folders);
  const path = join(folder, 'sign-in.html');
  writeFileSync(path, pageFor(address), { mode: 0o600, flag: 'wx' });
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface SignInPage {
  path: string;
  remove(): void;
}

/** Browsers from snap see neither hidden folders nor the system's temporary one: for them, a visible folder in the user's. */
function makePrivateFolder({ home, user }: { home: string; user: string }): string {
  if (SNAPS.some((path) => existsSync(path))) return mkdtempSync(join(user, 'smart-fork-sign-in-'));
  const folder = join(home, 'tmp');
  makeFolder(folder);
  return mkdtempSync(join(folder, `${process.pid}-sign-in-`));
}

const SNAPS = ['/snap/bin', '/var/lib/snapd/snap/bin'];

function pageFor(address: string): string {
  const inScript = JSON.stringify(address).replaceAll('<', '\\u003c');
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>smart-fork</title>
<script>location.replace(${inScript})</script>
`;
}
