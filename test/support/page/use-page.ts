import { afterAll, beforeAll } from 'vitest';
import type { Served } from '../machines/served-world.ts';
import { noBrowser, type SignedIn, signIn } from './browser.ts';

/** While tests run: the server, and a browser that is signed in to it. */
export interface ServedPage {
  readonly served: Served;
  readonly browser: SignedIn;
}

/** A server and a browser for the tests of a `describe`. */
export function usePage(serve: () => Promise<Served>): ServedPage {
  let served: Served;
  let browser: SignedIn;
  beforeAll(async () => {
    served = await serve();
    browser = await signIn(served);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
    served?.world.remove();
  });
  return {
    get served() {
      return served;
    },
    get browser() {
      return browser;
    },
  };
}

/** The name of tests, with the reason if they are skipped. */
export function inBrowser(name: string): string {
  return noBrowser === null ? name : `${name} (${noBrowser})`;
}
