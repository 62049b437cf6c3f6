import { ApiProblem, send, signedOut } from './client.ts';

/**
 * Exchanges the one-time code of `serve --open` for a cookie. The code is in the fragment, which no server and no log sees, and is
 * removed before anything else happens.
 */
export async function signIn(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    await send('POST', '/auth/exchange', { code });
    signedOut.value = false;
  } catch (error) {
    // Used twice, as by a reload: the cookie is there already.
    if (!(error instanceof ApiProblem)) throw error;
    signedOut.value = false;
  }
}
