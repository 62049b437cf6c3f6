import { signedOut } from './api/client.ts';
import { connection, indexing } from './api/live.ts';
import { overlay } from './keys/overlay.ts';
import { count } from './parts/format.ts';
import { EVERYWHERE } from './parts/select.tsx';
import { Link } from './route/link.tsx';
import { buildAddress, parameter, path } from './route/route.ts';

const VIEWS = [
  ['/', 'Search'],
  ['/activity', 'Activity'],
  ['/memory', 'Memory'],
  ['/usage', 'Usage'],
  ['/state', 'State'],
] as const;

export function Header() {
  // The views are of the same repository, until another one is chosen.
  const repo = parameter('repo') === EVERYWHERE ? '' : parameter('repo');
  const here = path.value.startsWith('/session/') ? '' : path.value;
  return (
    <header class="top">
      <Link to="/" class="brand" aria-label="smart-fork: search">
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path
            d="M4 14V2m0 8c0-4 8-2 8-7"
            fill="none"
            stroke="currentColor"
            stroke-width="2"
            stroke-linecap="round"
          />
          <circle cx="12" cy="2.5" r="1.6" fill="currentColor" />
        </svg>
        <span>smart-fork</span>
      </Link>
      <nav aria-label="Views">
        {VIEWS.map(([to, name]) => (
          <Link key={to} to={buildAddress(to, { repo })} aria-current={here === to ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      <LiveState />
      <button type="button" class="bare" onClick={() => show('palette')}>
        <span class="hidden">Go to anything</span>
        <kbd>{navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl '}K</kbd>
      </button>
      <button type="button" class="bare" onClick={() => show('help')}>
        <span class="hidden">Keyboard shortcuts</span>
        <kbd>?</kbd>
      </button>
    </header>
  );
}

function show(which: 'help' | 'palette'): void {
  overlay.value = which;
}

function LiveState() {
  if (signedOut.value) return null;
  const progress = indexing.value;
  const isBusy = progress !== null && progress.jobs > 0;
  const text = {
    live: isBusy ? `indexing ${count(progress.jobs, 'transcript')}` : 'live',
    connecting: 'connecting',
    away: 'not connected',
  }[connection.value];
  return (
    <span class={`live ${connection.value}`} role="status">
      <i aria-hidden="true" />
      <span>{text}</span>
    </span>
  );
}
