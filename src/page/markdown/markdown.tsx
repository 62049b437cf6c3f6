import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isRendered, renderMarkdown } from './render-markdown.ts';
import { visible } from './visible.ts';

/** Longer texts, such as a pasted log, are shown in pieces, without formatting. */
const PIECE = 30_000;

/** Text of a transcript. During fast scrolling it is shown unformatted for a moment, so that no frame has to wait for it. */
export function Markdown({ text }: { text: string }) {
  return text.length > PIECE ? <LongText text={text} /> : <Formatted text={text} />;
}

function Formatted({ text }: { text: string }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const show = () => {
      if (element.current !== null) renderMarkdown(element.current, text);
    };
    if (isRendered(text)) return show();
    return whenThereIsTime(show, () => {
      if (element.current !== null) element.current.textContent = visible(text);
    });
  }, [text]);
  return <div class="prose" dir="auto" ref={element} />;
}

/** Plain text of any length. */
export function LongText({ text, piece = PIECE }: { text: string; piece?: number }) {
  const [shown, setShown] = useState(piece);
  const left = text.length - shown;
  return (
    <>
      <pre class="plain" dir="auto" tabIndex={0}>
        {visible(text.slice(0, shown))}
      </pre>
      {left > 0 && (
        <button type="button" class="quiet" onClick={() => setShown(shown + 10 * piece)}>
          Show {Math.min(left, 10 * piece).toLocaleString('en')} more of {left.toLocaleString('en')}{' '}
          characters
        </button>
      )}
    </>
  );
}

/** Share of a frame that formatting may take. */
const BUDGET_MS = 6;

let frameEnds = 0;
let isBooked = false;
const waiting = new Set<() => void>();

/**
 * Runs the work at once if this frame has time for it, or else in one of the next frames; `meanwhile` runs if it has to wait. Returns a
 * function that cancels the work.
 */
function whenThereIsTime(work: () => void, meanwhile: () => void): () => void {
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
