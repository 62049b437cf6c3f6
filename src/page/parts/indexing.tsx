import { indexing } from '../api/live.ts';
import { count } from './format.ts';

/** Fewer transcripts are indexed before anybody has read a sentence about them. */
const FEW = 10;

/** Whether the server is looking for sessions, or indexing many. */
export function isIndexing(): boolean {
  const progress = indexing.value;
  return (
    progress !== null && (progress.jobs > FEW || (progress.sessions === 0 && progress.state === 'working'))
  );
}

/** How far the server is with the transcripts that it found, while they are many. */
export function Indexing() {
  const progress = indexing.value;
  if (progress === null || !isIndexing()) return null;
  const { sessions, jobs } = progress;
  return (
    <div class="indexing" role="status">
      <span>
        {jobs === 0
          ? 'Looking for sessions …'
          : `Indexing: ${count(sessions, 'session')} can be found, ${count(jobs, 'transcript')} to go.`}
      </span>
      <progress max={sessions + jobs} value={jobs === 0 ? undefined : sessions} aria-label="Indexing" />
    </div>
  );
}
