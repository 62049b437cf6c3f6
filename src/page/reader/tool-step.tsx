import { useMemo, useState } from 'preact/hooks';
import type { ToolStep as Tool } from '../api/types.ts';
import { LongText } from '../markdown/markdown.tsx';
import { visible } from '../markdown/visible.ts';
import { countChange, DiffView } from '../parts/diff-view.tsx';
import { count } from '../parts/format.ts';
import { useUnfolded } from '../route/unfolded.ts';

/** A tool call on one line, with its diff or its input and output below. */
export function ToolStep({ tool, name: key }: { tool: Tool; name: string }) {
  const [isOpen, toggle] = useUnfolded(key);
  const { name, summary, edits = [], failed = false, images = [] } = tool;
  const [edit, second] = edits;
  const change = useMemo(
    () => (edit === undefined || second !== undefined ? null : countChange(edit.before, edit.after)),
    [edit],
  );
  const [kind, text] = splitSummary(name, summary);
  return (
    <div class={failed ? 'tool failed' : 'tool'}>
      <button type="button" class="tool-line" aria-expanded={isOpen} data-key={key} onClick={toggle}>
        <span class="tool-name" title={visible(name)}>
          {visible(kind)}
        </span>
        <span class="tool-text clip">{visible(text)}</span>
        {change !== null && (
          <span class="tool-change">
            <ins>+{change.added}</ins> <del>−{change.removed}</del>
          </span>
        )}
        {images.length > 0 && <span class="tool-note">{count(images.length, 'image')}</span>}
        {failed && <span class="tool-failed">failed</span>}
      </button>
      {isOpen && <ToolDetails tool={tool} />}
    </div>
  );
}

/** "Bash: npm test", "Write src/a.ts": agents have several names for the same tool, and the line repeats it. */
function splitSummary(name: string, summary: string): [kind: string, text: string] {
  if (summary === name) return [name, ''];
  if (summary.startsWith(`${name} `)) return [name, summary.slice(name.length + 1)];
  const [, kind = name, text = summary] = /^([A-Z]\w*): (.*)$/s.exec(summary) ?? [];
  return [kind, text];
}

const PIECE = 6000;

function ToolDetails({ tool: { input, output, edits = [], images = [], cut } }: { tool: Tool }) {
  return (
    <div class="tool-details">
      {edits.map(({ path, before, after }, index) => (
        <div key={index}>
          <p class="mono path">{visible(path)}</p>
          <DiffView before={before} after={after} />
        </div>
      ))}
      {input !== undefined && input !== '' && (
        <div class="input">
          <h3>Input</h3>
          <LongText text={input} piece={PIECE} />
        </div>
      )}
      {output !== undefined && output !== '' && (
        <div>
          <h3>Output</h3>
          <LongText text={output} piece={PIECE} />
        </div>
      )}
      {cut !== undefined && cut > 0 && (
        <p class="note">{count(cut, 'more character')} are in the transcript.</p>
      )}
      {images.map((image, index) => (
        <Picture key={index} image={image} place={index + 1} />
      ))}
    </div>
  );
}

type Image = NonNullable<Tool['images']>[number];

function Picture({ image, place }: { image: Image; place: number }) {
  const [isBroken, setBroken] = useState(!isShowable(image));
  if (isBroken) return <p class="note">Image {place} is damaged, or of a kind that is not shown.</p>;
  const { mime, data } = image;
  return (
    <img
      src={`data:${mime};base64,${data}`}
      alt={`Result ${place} of the call`}
      onError={() => setBroken(true)}
    />
  );
}

function isShowable({ mime, data }: Image): boolean {
  return /^image\/(?:png|jpeg|gif|webp)$/.test(mime) && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}
