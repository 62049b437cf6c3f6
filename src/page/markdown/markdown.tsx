import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isRendered, renderMarkdown } from './render-markdown.ts';
import { visible } from './visible.ts';
import { whenThereIsTime } from './when-there-is-time.ts';

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
