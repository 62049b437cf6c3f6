import { get } from './client.ts';
import { indexing } from './live.ts';
import { useAnswer } from './use-answer.ts';

/** Counts by repository, agent and branch, without a query. */
export function useStatsCounts() {
  return useAnswer<{
    by_repo: { value: string; count: number }[];
    by_agent: { value: string; count: number }[];
    sessions: number;
  }>(`stats ${indexing.value?.sessions}`, (abort) => get('/api/v1/stats', {}, abort));
}
