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

interface Visit {
  turn: number;
  step: 1 | -1;
  /** The turn in which it began. */
  from: number;
  /** Whether the calls that hide hits have been opened. */
  isOpened: boolean;
}

/** Calls that are opened in one turn. */
const MAX_OPENED = 40;

/** Goes from hit to hit: to the next one in the turn, then to the next turn that matches, and opens the tool calls that hide it. */
export function useHits({ scroller, query, matches, current, goTo, release, turns }: Places) {
  const active = useRef<Range | null>(null);
  const wanted = useRef<Visit | null>(null);
  const words = wordsOf(query);
  const articleOf = (turn: number) =>
    scroller.current?.querySelector<HTMLElement>(`[data-index="${turn}"]`) ?? null;
  const show = (range: Range, article: HTMLElement) => {
    const box = scroller.current;
    if (box === null) return;
    active.current = range;
    if ('highlights' in CSS) {
      const mark = new Highlight(range);
      mark.priority = 1;
      CSS.highlights.set('hit', mark);
    }
    release();
    const top = (element: { getBoundingClientRect(): DOMRect }) =>
      element.getBoundingClientRect().top - box.getBoundingClientRect().top;
    // No higher than the turn's beginning, so that it stays the current one.
    box.scrollTop += Math.max(top(article), top(range) - box.clientHeight / 3);
  };
  /** The turn of the hit that is on the screen, which is not the one at its top if the session ends here. */
  const hitTurn = () => {
    const [range, box] = [active.current?.getBoundingClientRect(), scroller.current?.getBoundingClientRect()];
    const article = active.current?.startContainer.parentElement?.closest<HTMLElement>('[data-index]');
    const isSeen =
      range !== undefined && box !== undefined && range.bottom > box.top && range.top < box.bottom;
    return isSeen && article != null ? Number(article.dataset.index) : current;
  };
  const step = (by: 1 | -1) => {
    const here = hitTurn();
    const article = articleOf(here);
    if (words !== null) {
      if (article !== null && active.current !== null && article.contains(active.current.startContainer)) {
        const next = nextRange(rangesOf(article, words), active.current, by);
        if (next !== undefined) return show(next, article);
      } else if (matches.includes(here)) return visit(here, by, here);
    }
    leave(here, by);
  };
  const leave = (from: number, by: 1 | -1) => {
    const others = by === 1 ? matches : [...matches].reverse();
    const turn = others.find((index) => (index - from) * by > 0) ?? others[0];
    // Too short words are not highlighted, nor are a matching word's other forms.
    if (turn !== undefined && (turn !== from || active.current !== null)) visit(turn, by, from);
  };
  const visit = (turn: number, by: 1 | -1, from: number) => {
    active.current = null;
    if (words !== null) wanted.current = { turn, step: by, from, isOpened: false };
    if (turn === from) look();
    else goTo(turn);
  };
  const look = () => {
    const visited = wanted.current;
    if (visited === null || words === null) return;
    const turn = turns.at(visited.turn);
    const article = articleOf(visited.turn);
    if (turn === undefined || article === null) return;
    // Once: the URL cannot contain any number of keys.
    if (!visited.isOpened) {
      visited.isOpened = true;
      const open = (parameters.value.get('show') ?? '').split('_');
      const folded = foldedOver(turn, words).filter((key) => !open.includes(key));
      const nearest = visited.step === 1 ? folded.slice(0, MAX_OPENED) : folded.slice(-MAX_OPENED);
      if (nearest.length > 0) return unfold(nearest, true);
    }
    const range = rangesOf(article, words).at(visited.step === 1 ? 0 : -1);
    wanted.current = null;
    if (range !== undefined) show(range, article);
    else if (visited.turn === visited.from) leave(visited.turn, visited.step);
  };
  useEffect(look);
  useEffect(() => {
    active.current = null;
    wanted.current = null;
    CSS.highlights?.delete('hit');
  }, [query]);
  return step;
}

function nextRange(ranges: Range[], from: Range, by: 1 | -1): Range | undefined {
  const place = (range: Range) => range.compareBoundaryPoints(Range.START_TO_START, from);
  return by === 1 ? ranges.find((one) => place(one) > 0) : ranges.findLast((one) => place(one) < 0);
}
