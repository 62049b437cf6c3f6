import { join } from 'node:path';
import { createLoginFiles } from '../../adapters/serve/login-files.ts';
import { type SignInPage, writeSignInPage as writePage } from '../../adapters/serve/sign-in-page.ts';
import type { Config } from '../../config/config.ts';
import type { PageLogins } from '../../ports/page-logins.ts';

/** The browsers that are signed in to this machine's page. */
export function openLogins({ home }: Config): PageLogins {
  return createLoginFiles(join(home, 'logins'));
}

/** A page that sends the browser that opens it on to an address. */
export function writeSignInPage({ home, privacy }: Config, address: string): SignInPage {
  return writePage({ home, user: privacy.userHome }, address);
}
