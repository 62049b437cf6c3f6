import { useCallback, useEffect, useReducer, useRef } from 'preact/hooks';
import { ApiProblem, get } from '../api/client.ts';
import type { Turn, TurnWindow } from '../api/types.ts';

const SIZE = 5;

export interface Turns {
  at: (index: number) => Turn | undefined;
  /** Loads those of these turns that are missing. */
  want: (from: number, to: number) => void;
  problem: ApiProblem | null;
}

/** A session's turns, loaded in windows as they come into view. When the session grows, its last window is loaded again. */
export function useTurns(id: string, total: number): Turns {
  const [, draw] = useReducer((old: number) => old + 1, 0);
  const state = useRef({
    turns: new Map<number, Turn>(),
    asked: new Set<number>(),
    problem: null as ApiProblem | null,
  });
  const known = useRef(total);
  const load = useCallback(
    async (page: number) => {
      if (state.current.asked.has(page)) return;
      state.current.asked.add(page);
      try {
        const path = `/api/v1/sessions/${encodeURIComponent(id)}/turns`;
        const { turns, problem } = await get<TurnWindow>(path, { from: page * SIZE, count: SIZE });
        for (const turn of turns) state.current.turns.set(turn.index, turn);
        state.current.problem = problem ? new ApiProblem(0, problem) : null;
      } catch (error) {
        state.current.asked.delete(page);
        state.current.problem = error instanceof ApiProblem ? error : new ApiProblem(0, String(error));
      }
      draw(0);
    },
    [id],
  );
  const want = useCallback(
    (from: number, to: number) => {
      for (let page = Math.floor(from / SIZE); page <= Math.floor(to / SIZE); page++) void load(page);
    },
    [load],
  );
  useEffect(() => {
    if (total === known.current) return;
    const last = Math.floor(Math.max(0, known.current - 1) / SIZE);
    known.current = total;
    state.current.asked.delete(last);
    void load(last);
  }, [total]);
  return { at: (index) => state.current.turns.get(index), want, problem: state.current.problem };
}
