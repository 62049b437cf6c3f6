import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useState } from 'preact/hooks';

interface Options {
  count: number;
  scroller: RefObject<HTMLElement>;
  estimate: (index: number) => number;
  overscan?: number;
}

export type List = Virtualizer<HTMLElement, HTMLElement>;

/** A list that renders only its visible rows. Rows may have any height; each is measured once it is visible. */
export function useVirtual({ count, scroller, estimate, overscan = 4 }: Options): List {
  const [, draw] = useReducer((old: number) => old + 1, 0);
  const options = {
    count,
    overscan,
    estimateSize: estimate,
    getScrollElement: () => scroller.current,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => draw(0),
  };
  const [list] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  list.setOptions(options);
  useEffect(() => list._didMount(), []);
  useLayoutEffect(() => list._willUpdate());
  return list;
}
