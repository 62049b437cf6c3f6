import { useMemo } from 'preact/hooks';
import type { Turn } from '../api/types.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { dayAndClock } from '../parts/format.ts';
import { change, parameters, sessionAddress } from '../route/route.ts';
import { showsThinking } from './reader-options.ts';
import { TurnBody } from './turn-body.tsx';

interface Properties {
  index: number;
  start: number;
  measure: (element: HTMLElement | null) => void;
  id: string;
  turn: Turn | undefined;
  title: string;
  /** The user took the turn back. */
  isRewound: boolean;
  isCurrent: boolean;
}

/** A turn in the list. Until it is loaded, its outline line is shown. */
export function TurnRow({ index, start, measure, id, turn, title, isRewound, isCurrent }: Properties) {
  const thinks = showsThinking();
  // Scrolling renders the list often, but a turn's content changes only with the turn.
  const body = useMemo(
    () => turn !== undefined && <TurnBody key={`${turn.steps.length} ${thinks}`} id={id} turn={turn} />,
    [turn, thinks],
  );
  return (
    <article
      class={isCurrent ? 'turn current' : 'turn'}
      data-index={index}
      ref={measure}
      style={{ transform: `translateY(${start}px)` }}
      aria-label={`Turn ${index + 1}`}
    >
      <div class="turn-head">
        <h2>
          <span class="number">{index + 1}</span>
          <time>{dayAndClock(turn?.timestamp ?? null)}</time>
          {isRewound && <span class="rewound">taken back</span>}
        </h2>
        <CopyButton text={linkTo(id, index)} label="Copy link" />
        <button type="button" class="fork-here" onClick={() => change({ fork: index + 1 })}>
          Fork from here
        </button>
      </div>
      {turn === undefined ? <div class="turn-waits">{title}</div> : body}
    </article>
  );
}

function linkTo(id: string, index: number): string {
  return location.origin + sessionAddress(id, { q: parameters.value.get('q'), turn: index + 1 });
}
