import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiProblem } from '../api/client.ts';
import { Failure, Skeleton } from './states.tsx';

/** A view whose code loads when it is opened. */
export function Later({ load }: { load: () => Promise<ComponentType> }) {
  const [Loaded, setLoaded] = useState<ComponentType | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  useEffect(() => {
    load().then(
      (view) => setLoaded(() => view),
      () => setProblem(new ApiProblem(0, 'the page was updated', 'Reload it.')),
    );
  }, []);
  if (problem !== null) return <Failure problem={problem} retry={() => location.reload()} />;
  return Loaded === null ? <Skeleton lines={8} height={40} /> : <Loaded />;
}
