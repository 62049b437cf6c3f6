import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiProblem } from './client.ts';

export interface Answer<T> {
  data: T | null;
  problem: ApiProblem | null;
  isLoading: boolean;
  reload: () => void;
}

/**
 * Repeats the request whenever the key changes, after `delayMs`, and cancels the previous one. The last answer stays until the next one
 * arrives, so that nothing jumps, unless `scope` changes.
 */
export function useAnswer<T>(
  key: string | null,
  load: (abort: AbortSignal) => Promise<T>,
  { delayMs = 0, scope = '' } = {},
): Answer<T> {
  const [state, setState] = useState<{ scope: string; data: T | null; problem: ApiProblem | null }>({
    scope,
    data: null,
    problem: null,
  });
  const [isLoading, setLoading] = useState(key !== null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (key === null) {
      setLoading(false);
      return;
    }
    const abort = new AbortController();
    setLoading(true);
    const timer = setTimeout(async () => {
      try {
        const data = await load(abort.signal);
        if (abort.signal.aborted) return;
        setState({ scope, data, problem: null });
      } catch (error) {
        if (abort.signal.aborted) return;
        const problem = error instanceof ApiProblem ? error : new ApiProblem(0, String(error));
        setState((old) => ({ scope, data: old.scope === scope ? old.data : null, problem }));
      }
      setLoading(false);
    }, delayMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, round]);
  const reload = useCallback(() => setRound((old) => old + 1), []);
  const isCurrent = state.scope === scope;
  return {
    data: isCurrent ? state.data : null,
    problem: isCurrent ? state.problem : null,
    isLoading,
    reload,
  };
}
