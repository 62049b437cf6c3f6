import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { signedOut } from './api/client.ts';
import { Header } from './header.tsx';
import { Help } from './keys/help.tsx';
import { listenToKeys } from './keys/keys.ts';
import { overlay } from './keys/overlay.ts';
import { Palette } from './keys/palette.tsx';
import { Announcements } from './parts/announce.tsx';
import { Command } from './parts/command.tsx';
import { Later } from './parts/later.tsx';
import { Empty } from './parts/states.tsx';
import { Link } from './route/link.tsx';
import { path } from './route/route.ts';
import { ListBeside } from './search/list-beside.tsx';
import { SearchView } from './search/search-view.tsx';
import { SessionPage } from './session-page.tsx';

export function App() {
  useEffect(listenToKeys, []);
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        {signedOut.value ? <SignedOut /> : <View />}
      </main>
      {overlay.value === 'help' && <Help />}
      {overlay.value === 'palette' && <Palette />}
      <Announcements />
    </>
  );
}

/** Rarely used views, loaded when they are opened. */
const LATER: Record<string, () => Promise<ComponentType>> = {
  '/activity': async () => (await import('./more-views.ts')).ActivityView,
  '/memory': async () => (await import('./more-views.ts')).MemoryView,
  '/usage': async () => (await import('./usage/usage-view.tsx')).UsageView,
  '/state': async () => (await import('./more-views.ts')).StateView,
};

function View() {
  const [, first = '', id = '', view = ''] = path.value.split('/');
  if (first === '') return <SearchView />;
  if (first === 'session' && id !== '')
    return (
      <div class="with-list">
        <ListBeside id={decoded(id)} />
        <SessionPage key={id} id={decoded(id)} view={view} />
      </div>
    );
  const load = LATER[`/${first}`];
  if (load !== undefined) return <Later key={first} load={load} />;
  return (
    <Empty title="Page not found.">
      <p>
        <Link to="/">Search</Link>
      </p>
    </Empty>
  );
}

/** A URL typed by hand may contain a stray %. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function SignedOut() {
  return (
    <Empty title="This browser is not signed in.">
      <p>Run this command. It opens the page with a code that works once.</p>
      <Command text="smart-fork serve --open" />
    </Empty>
  );
}
