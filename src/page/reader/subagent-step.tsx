import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { get } from '../api/client.ts';
import type { Turn, TurnWindow } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { visible } from '../markdown/visible.ts';
import { count } from '../parts/format.ts';
import { Failure, Skeleton } from '../parts/states.tsx';
import { change, parameter } from '../route/route.ts';
import { useUnfolded } from '../route/unfolded.ts';

const FIRST = 10;

interface Properties {
  id: string;
  step: { id: string; title: string; turn_count: number };
  /** Renders a turn. Passed in, because a turn renders its subagents. */
  Body: ComponentType<{ id: string; turn: Turn; of: string }>;
}

/** A subagent's conversation, in the turn that started it. Open if the search matched in it. */
export function SubagentStep({ id, step, Body }: Properties) {
  const [isUnfolded, toggle] = useUnfolded(step.id);
  // Folding a subagent that the link opened removes it from the URL.
  const isLinked = parameter('sub') === step.id;
  const isOpen = isUnfolded || isLinked;
  const [shown, setShown] = useState(FIRST);
  const values = { from: 0, count: Math.min(200, shown), subagent: step.id };
  const answer = useAnswer<TurnWindow>(isOpen ? `${step.id} ${shown}` : null, (abort) =>
    get(`/api/v1/sessions/${encodeURIComponent(id)}/turns`, values, abort),
  );
  const left = (answer.data?.total ?? 0) - shown;
  return (
    <div class="subagent">
      <button
        type="button"
        class="tool-line"
        aria-expanded={isOpen}
        onClick={() => (isLinked ? change({ sub: null }) : toggle())}
      >
        <span class="tool-name">Subagent</span>
        <span class="tool-text clip">{visible(step.title)}</span>
        <span class="tool-note">{count(step.turn_count, 'turn')}</span>
      </button>
      {isOpen && (
        <div class="subagent-turns">
          {answer.problem !== null && <Failure problem={answer.problem} />}
          {answer.data === null && answer.problem === null && <Skeleton lines={2} height={60} />}
          {answer.data?.turns.map((turn) => (
            <section key={turn.index} aria-label={`Turn ${turn.index + 1} of the subagent`}>
              <Body id={id} turn={turn} of={`${step.id}.`} />
            </section>
          ))}
          {left > 0 && shown < 200 && (
            <button type="button" class="quiet" onClick={() => setShown(shown + 40)}>
              {count(left, 'more turn')}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
