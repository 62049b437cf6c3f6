import { render } from 'preact';
import { ApiProblem, send, signedOut } from './api/client.ts';
import { followEvents } from './api/live.ts';
import { App } from './app.tsx';

await signIn();
const root = document.querySelector('#page');
if (root !== null) render(<App />, root);
// The first view is more urgent than live events.
setTimeout(followEvents, 300);
// `serve --open` in a tab that has the page already.
addEventListener('hashchange', signIn);

/**
 * Exchanges the one-time code from `serve --open` for a cookie. The code is in the fragment, which never reaches a server or a log, and
 * is removed before anything else happens.
 */
async function signIn(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    await send('POST', '/auth/exchange', { code });
  } catch (error) {
    // The code was used before, for example before a reload, so the cookie exists already.
    if (!(error instanceof ApiProblem)) throw error;
  }
  signedOut.value = false;
}
