import { useRef } from 'preact/hooks';
import type { Marks } from '../../domain/tags/marks.ts';
import type { ApiProblem } from '../api/client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/states.tsx';

/** The request for each of `star`, `note` and `tags` that changes. */
export type MarkChanges = Partial<Record<'star' | 'note' | 'tags', object>>;

interface Properties {
  marks: Marks;
  problem: ApiProblem | null;
  save: (changes: MarkChanges) => void;
  onClose: () => void;
}

/** Sends only changed fields. Enter saves, Escape closes. */
export function EditMarks({ marks, problem, save, onClose }: Properties) {
  const [tagsBefore, noteBefore] = [marks.tags.join(', '), marks.note ?? ''];
  const [tags, note] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const submit = (event: Event) => {
    event.preventDefault();
    const [tagsNow, noteNow] = [tags.current?.value ?? '', note.current?.value ?? ''];
    const list = tagsNow.split(',').flatMap((tag) => tag.trim() || []);
    save({
      tags: tagsNow !== tagsBefore ? { tags: list } : undefined,
      note: noteNow !== noteBefore ? { text: noteNow } : undefined,
    });
  };
  return (
    <Dialog label="Tags and note" onClose={onClose}>
      <form onSubmit={submit}>
        <h2>Tags and note</h2>
        <label>
          Tags, separated by commas <input type="text" ref={tags} defaultValue={tagsBefore} />
        </label>
        <label>
          Note <input type="text" ref={note} maxLength={300} defaultValue={noteBefore} />
        </label>
        {problem !== null && <Failure problem={problem} />}
        <div class="actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}
