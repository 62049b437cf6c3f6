import { useState } from 'preact/hooks';
import type { Marks } from '../../domain/tags/marks.ts';
import { type ApiProblem, send } from '../api/client.ts';
import { useKeys } from '../keys/keys.ts';
import { EditMarks, type MarkChanges } from './edit-marks.tsx';
import { SaveHtml } from './save-html.tsx';

interface Properties {
  id: string;
  marks: Marks;
  /** Called after the server has stored a change. */
  onChange: () => void;
}

/** A session's star and note; its tags are among its facts. `*` and `e` change them. */
export function SessionMarks({ id, marks, onChange }: Properties) {
  const { starred, note } = marks;
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const save = async (changes: MarkChanges) => {
    try {
      for (const [what, body] of Object.entries(changes))
        await send('PUT', `/api/v1/sessions/${encodeURIComponent(id)}/${what}`, body);
      setProblem(null);
      setOpen(false);
    } catch (error) {
      setProblem(error as ApiProblem);
    }
    onChange();
  };
  const star = () => void save({ star: { starred: !starred } });
  const edit = () => setOpen(true);
  const close = () => {
    setOpen(false);
    setProblem(null);
  };
  useKeys({ '*': star, e: edit });
  return (
    <span class="marks">
      <button type="button" class="quiet" aria-pressed={starred} aria-label="Star" onClick={star}>
        {starred ? '★' : '☆'}
      </button>
      {note !== null && <span class="note">{note}</span>}
      <button type="button" class="quiet" onClick={edit}>
        Edit tags and note
      </button>
      <SaveHtml id={id} />
      {problem !== null && !isOpen && (
        <span class="problem" role="alert">
          {problem.message}
        </span>
      )}
      {isOpen && <EditMarks marks={marks} save={save} problem={problem} onClose={close} />}
    </span>
  );
}
