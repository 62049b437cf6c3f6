import { useEffect, useRef } from 'preact/hooks';
import { go, path } from '../route/route.ts';
import { overlay } from './overlay.ts';

type Handlers = Record<string, () => void>;

/** Handlers of the visible views, innermost last. */
const layers: { current: Handlers }[] = [];

/** Sets key handlers while a view is visible. */
export function useKeys(handlers: Handlers): void {
  const layer = useRef(handlers);
  layer.current = handlers;
  useEffect(() => {
    layers.push(layer);
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, []);
}

const EVERYWHERE: Handlers = {
  '?': () => {
    overlay.value = 'help';
  },
  '/': () => focusSearch(),
};

export function listenToKeys(): () => void {
  const press = (event: KeyboardEvent) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      overlay.value = overlay.value === 'palette' ? null : 'palette';
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
    if (document.querySelector('dialog[open]') !== null || isTyping(event)) return;
    const handler = [...layers].reverse().find((layer) => layer.current[event.key] !== undefined);
    const run = handler?.current[event.key] ?? EVERYWHERE[event.key];
    // Buttons and links handle Enter themselves.
    if (run === undefined || (event.key === 'Enter' && isControl(event.target))) return;
    event.preventDefault();
    run();
  };
  addEventListener('keydown', press);
  return () => removeEventListener('keydown', press);
}

function focusSearch(): void {
  const select = () => document.querySelector<HTMLInputElement>('#query')?.select();
  if (path.value === '/') select();
  else {
    go('/');
    requestAnimationFrame(select);
  }
}

function isTyping({ target }: Event): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select');
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('a, button, summary') !== null;
}
