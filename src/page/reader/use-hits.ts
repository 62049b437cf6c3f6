import { useEffect, useRef } from 'preact/hooks';
import { parameters } from '../route/route.ts';
import { unfold } from '../route/unfolded.ts';
import { rangesOf, wordsOf } from './mark-words.ts';
import { foldedOver } from './turn-body.tsx';
import type { Turns } from './use-turns.ts';

interface Places {
  scroller: { current: HTMLElement | null };
  query: string;
  /** Turns that match. */
  matches: number[];
  current: number;
  goTo: (index: number) => void;
  release: () => void;
  turns: Turns;
}

/** Goes from hit to hit: to the next one in the turn, then to the next turn that matches, and opens the tool calls that hide it. */
export function useHits({ scroller, query, matches, current, goTo, release, turns }: Places) {
  const active = useRef<Range | null>(null);
  const wanted = useRef<{ turn: number; step: 1 | -1 } | null>(null);
  const words = wordsOf(query);
  const articleOf = (turn: number) =>
    scroller.current?.querySelector<HTMLElement>(`[data-index="${turn}"]`) ?? null;
  const show = (range: Range, article: HTMLElement) => {
    const box = scroller.current;
    if (box === null) return;
    active.current = range;
    const mark = new Highlight(range);
    mark.priority = 1;
    CSS.highlights?.set('hit', mark);
    release();
    const top = (element: { getBoundingClientRect(): DOMRect }) =>
      element.getBoundingClientRect().top - box.getBoundingClientRect().top;
    // No higher than the turn's beginning, so that it stays the current one.
    box.scrollTop += Math.max(top(article), top(range) - box.clientHeight / 3);
  };
  const step = (by: 1 | -1) => {
    const article = articleOf(current);
    if (words === null) return;
    if (article !== null && active.current !== null && article.contains(active.current.startContainer)) {
      const next = nextRange(rangesOf(article, words), active.current, by);
      if (next !== undefined) return show(next, article);
    } else if (matches.includes(current)) return visit(current, by);
    const others = by === 1 ? matches : [...matches].reverse();
    const turn = others.find((index) => (index - current) * by > 0) ?? others[0];
    if (turn !== undefined) visit(turn, by);
  };
  const visit = (turn: number, by: 1 | -1) => {
    wanted.current = { turn, step: by };
    if (turn === current) look();
    else goTo(turn);
  };
  const look = () => {
    if (wanted.current === null || words === null) return;
    const turn = turns.at(wanted.current.turn);
    const article = articleOf(wanted.current.turn);
    if (turn === undefined || article === null) return;
    const open = (parameters.value.get('show') ?? '').split('_');
    const folded = foldedOver(turn, words).filter((key) => !open.includes(key));
    if (folded.length > 0) return unfold(folded, true);
    const range = rangesOf(article, words).at(wanted.current.step === 1 ? 0 : -1);
    wanted.current = null;
    if (range !== undefined) show(range, article);
  };
  useEffect(look);
  useEffect(() => {
    active.current = null;
    CSS.highlights?.delete('hit');
  }, [query]);
  return step;
}

function nextRange(ranges: Range[], from: Range, by: 1 | -1): Range | undefined {
  const place = (range: Range) => range.compareBoundaryPoints(Range.START_TO_START, from);
  return by === 1 ? ranges.find((one) => place(one) > 0) : ranges.findLast((one) => place(one) < 0);
}
