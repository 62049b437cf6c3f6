import type { ComponentChildren } from 'preact';
import type { ApiProblem } from '../api/client.ts';

/** Placeholder for an empty list. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state">
      <p class="state-title">{title}</p>
      {children}
    </div>
  );
}

export function Failure({ problem, retry }: { problem: ApiProblem; retry?: () => void }) {
  return (
    <div class="state failure" role="alert">
      <p class="state-title">{sentence(problem.message)}</p>
      {problem.hint !== undefined && <p>{problem.hint}</p>}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Placeholder lines as high as the content, so that nothing moves when it arrives. */
export function Skeleton({ lines, height }: { lines: number; height: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} style={{ height: `${height}px` }} aria-hidden="true" />
      ))}
    </div>
  );
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
