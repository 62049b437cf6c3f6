import { useEffect, useMemo, useRef } from 'preact/hooks';
import { get } from '../api/client.ts';
import type { OutlineTurn, SessionView } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useKeys } from '../keys/keys.ts';
import { Empty, Failure } from '../parts/states.tsx';
import { useVirtual } from '../parts/use-virtual.ts';
import { parameter } from '../route/route.ts';
import { unfold } from '../route/unfolded.ts';
import { FindBar } from './find-bar.tsx';
import { markWords } from './mark-words.ts';
import { Outline } from './outline.tsx';
import { showsOutline, toggleOutline, toggleThinking } from './reader-options.ts';
import { TurnRow } from './turn-row.tsx';
import { useCurrentTurn } from './use-current-turn.ts';
import { useHits } from './use-hits.ts';
import { useTurns } from './use-turns.ts';

/** A conversation of any length: only turns on the screen are rendered. */
export function ReaderView({ view }: { view: SessionView }) {
  const { session, turn_count: total } = view;
  const id = session.session_id;
  const scroller = useRef<HTMLDivElement>(null);
  const turns = useTurns(id, total);
  const words = parameter('find') || parameter('q');
  const outline = useAnswer<{ turns: OutlineTurn[] }>(
    `${id} ${words} ${total}`,
    (abort) => get(`/api/v1/sessions/${encodeURIComponent(id)}/outline`, { query: words }, abort),
    { delayMs: 80, scope: id },
  );
  const list = useVirtual({
    count: total,
    scroller,
    overscan: 2,
    estimate: (index) => estimateHeight(turns.at(index)?.steps.length),
  });
  const rows = list.getVirtualItems();
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0];
  useEffect(() => turns.want(first, Math.min(total - 1, last + 5)), [first, last, total]);
  const { current, goTo, release } = useCurrentTurn(list, total);
  const matches = useMemo(
    () => (outline.data?.turns ?? []).filter(({ has_match }) => has_match === true).map(({ index }) => index),
    [outline.data],
  );
  const step = useHits({ scroller, query: words, matches, current, goTo, release, turns });
  useReaderKeys({ current, goTo, release, step, scroller });
  useEffect(() => markWords(scroller.current, words));
  const isOutlineShown = showsOutline();
  if (total === 0) return <NoTurns view={view} />;
  return (
    <div class={isOutlineShown ? 'reader' : 'reader alone'}>
      {isOutlineShown && (
        <Outline turns={outline.data?.turns ?? []} total={total} current={current} goTo={goTo} />
      )}
      <div class="reader-main">
        <FindBar
          current={current}
          total={total}
          matches={matches}
          step={step}
          isLoading={outline.isLoading}
        />
        {turns.problem !== null && <Failure problem={turns.problem} />}
        <div class="turns" ref={scroller} role="region" aria-label="Conversation" tabIndex={0}>
          <div class="space" style={{ height: `${list.getTotalSize()}px` }}>
            {rows.map((row) => (
              <TurnRow
                key={row.index}
                index={row.index}
                start={row.start}
                measure={list.measureElement}
                id={id}
                turn={turns.at(row.index)}
                title={outline.data?.turns[row.index]?.title ?? ''}
                isRewound={outline.data?.turns[row.index]?.rewound ?? false}
                isCurrent={row.index === current}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

function estimateHeight(steps: number | undefined): number {
  return steps === undefined ? 240 : 120 + Math.min(steps, 14) * 40;
}

function NoTurns({ view: { local, restorable } }: { view: SessionView }) {
  if (local || restorable) return <Empty title="This session has no turns." />;
  return (
    <Empty title="The transcript is neither on this machine nor archived.">
      <p>Search finds its passages, and smart-fork retrieve prints them.</p>
    </Empty>
  );
}

interface KeyTargets {
  current: number;
  goTo: (index: number) => void;
  release: () => void;
  step: (by: 1 | -1) => void;
  scroller: { current: HTMLElement | null };
}

function useReaderKeys({ current, goTo, release, step, scroller }: KeyTargets): void {
  const scroll = (by: number) => {
    release();
    scroller.current?.scrollBy({ top: by });
  };
  useKeys({
    j: () => scroll(90),
    k: () => scroll(-90),
    ']': () => goTo(current + 1),
    '[': () => goTo(current - 1),
    n: () => step(1),
    N: () => step(-1),
    s: () => document.querySelector<HTMLInputElement>('#find')?.select(),
    o: toggleOutline,
    h: toggleThinking,
    t: () => toggleTools(scroller.current, current),
  });
}

/** Opens a turn's tool calls, or closes them if they are open. */
function toggleTools(scroller: HTMLElement | null, current: number): void {
  const buttons = [
    ...(scroller?.querySelectorAll<HTMLElement>(`[data-index="${current}"] .tool-line`) ?? []),
  ];
  const isAnyClosed = buttons.some((button) => button.getAttribute('aria-expanded') === 'false');
  unfold(
    buttons.flatMap(({ dataset }) => dataset.key ?? []),
    isAnyClosed,
  );
}
