import { useEffect, useRef } from 'preact/hooks';
import type { OutlineTurn } from '../api/types.ts';
import { count } from '../parts/format.ts';
import { useVirtual } from '../parts/use-virtual.ts';

const ROW = 28;

/** One line per turn. Matching turns are marked. */
export function Outline(properties: {
  turns: OutlineTurn[];
  total: number;
  current: number;
  goTo: (index: number) => void;
}) {
  const { turns, total, current, goTo } = properties;
  const scroller = useRef<HTMLElement>(null);
  const list = useVirtual({ count: turns.length, scroller, estimate: () => ROW, overscan: 8 });
  useEffect(() => {
    if (turns.length > 0) list.scrollToIndex(current, { align: 'auto' });
  }, [current, turns.length]);
  return (
    <nav class="outline" aria-label={`Outline, ${total} turns`} ref={scroller} tabIndex={0}>
      <div class="space" style={{ height: `${list.getTotalSize()}px` }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const turn = turns[index];
          return turn === undefined ? null : (
            <button
              type="button"
              key={index}
              class={`outline-turn${turn.has_match === true ? ' match' : ''}${turn.rewound === true ? ' rewound' : ''}`}
              style={{ transform: `translateY(${start}px)` }}
              aria-current={index === current}
              onClick={() => goTo(index)}
            >
              <span class="number">{index + 1}</span>
              <span class="clip">{turn.title || '…'}</span>
              {turn.files_count > 0 && (
                <small title={`${count(turn.files_count, 'file')} changed`}>±{turn.files_count}</small>
              )}
              {turn.has_match === true && <span class="hidden">(matches)</span>}
              {turn.rewound === true && <span class="hidden">(taken back)</span>}
            </button>
          );
        })}
      </div>
    </nav>
  );
}
