/** Share of a frame that formatting may take. */
const BUDGET_MS = 6;

let frameEnds = 0;
let isBooked = false;
const waiting = new Set<() => void>();

/**
 * Runs the work at once if this frame has time for it, or else in one of the next frames; `meanwhile` runs if it has to wait. Returns a
 * function that cancels the work.
 */
export function whenThereIsTime(work: () => void, meanwhile: () => void): () => void {
  book();
  if (waiting.size === 0 && performance.now() < frameEnds) work();
  else {
    meanwhile();
    waiting.add(work);
  }
  return () => waiting.delete(work);
}

function book(): void {
  if (isBooked) return;
  isBooked = true;
  frameEnds = performance.now() + BUDGET_MS;
  requestAnimationFrame(() => {
    isBooked = false;
    if (waiting.size === 0) return;
    book();
    for (const work of waiting) {
      waiting.delete(work);
      work();
      if (performance.now() > frameEnds) break;
    }
  });
}
