import { render } from 'preact';
import { followEvents } from './api/live.ts';
import { signIn } from './api/sign-in.ts';
import { App } from './app.tsx';

await signIn();
const root = document.querySelector('#page');
if (root !== null) render(<App />, root);
// The first view is more urgent than live events.
setTimeout(followEvents, 300);
// `serve --open` in a tab that has the page already.
addEventListener('hashchange', signIn);
