import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { List } from '../parts/use-virtual.ts';
import { change, numberParameter } from '../route/route.ts';

/**
 * The turn at the top of the screen. It is written to the URL when scrolling ends, and read from it on Back and Forward. A turn that was
 * jumped to stays at the top while the turns around it load and get their heights, until the user scrolls.
 */
export function useCurrentTurn(list: List, total: number) {
  const inAddress = Math.min(total, numberParameter('turn') ?? 1) - 1;
  const written = useRef(inAddress);
  const [held, setHeld] = useState<number | null>(inAddress);
  const offset = (list.scrollOffset ?? 0) + 24;
  const seen = list.getVirtualItems().find((row) => row.end > offset)?.index ?? inAddress;
  const current = held ?? seen;
  const release = () => setHeld(null);
  const goTo = (index: number) => {
    const to = Math.max(0, Math.min(total - 1, index));
    written.current = to;
    setHeld(to);
    change({ turn: to + 1 });
  };
  useLayoutEffect(() => {
    if (inAddress !== written.current) setHeld(inAddress);
    written.current = inAddress;
  }, [inAddress]);
  useLayoutEffect(() => {
    if (held !== null) list.scrollToIndex(held, { align: 'start' });
  }, [held, list.getTotalSize()]);
  useEffect(() => listenToScrolling(list.scrollElement, release), [list.scrollElement]);
  useEffect(() => {
    if (list.isScrolling || written.current === current) return;
    const timer = setTimeout(() => {
      written.current = current;
      change({ turn: current + 1 });
    }, 250);
    return () => clearTimeout(timer);
  }, [current, list.isScrolling]);
  return { current, goTo, release };
}

/** Listens to the user's own scrolling, because `scroll` events also come from the list. */
function listenToScrolling(element: HTMLElement | null, release: () => void): () => void {
  const events = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
  for (const event of events) element?.addEventListener(event, release, { passive: true });
  return () => {
    for (const event of events) element?.removeEventListener(event, release);
  };
}
