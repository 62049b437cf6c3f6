import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, get, send } from '../api/client.ts';
import type { Preflight } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { CheckRow } from '../parts/check-row.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { type ForkBody, foundBy, noteFork } from '../parts/note-fork.ts';
import { Failure, Skeleton } from '../parts/states.tsx';
import { change, parameter } from '../route/route.ts';

interface Properties {
  id: string;
  title: string;
  /** Counted from 1; null if there are no turns to choose from. */
  turn: number | null;
  /** Whether the whole session is selected first. */
  startWhole?: boolean;
  /** Its place among the results of the query in the URL; null if it was not found by one. */
  rank: number | null;
  onClose: () => void;
}

/** Shows the preflight checks, then the fork command. */
export function ForkDialog({ id, title, turn, startWhole = false, rank, onClose }: Properties) {
  const whole = parameter('whole');
  const isWhole = turn === null || (whole === '' ? startWhole : whole === '1');
  const setWhole = (isPicked: boolean) => change({ whole: isPicked ? 1 : 0 });
  const at = isWhole ? undefined : (turn ?? undefined);
  const folder = parameter('folder');
  const answer = useAnswer<Preflight>(`${id} ${at} ${folder}`, (abort) =>
    get(`/api/v1/sessions/${encodeURIComponent(id)}/preflight`, { turn: at, folder }, abort),
  );
  const { data, problem, isLoading } = answer;
  return (
    <Dialog label="Fork" onClose={onClose} wide>
      <h2>{at === undefined ? 'Fork the whole session' : `Fork from turn ${at}`}</h2>
      <p class="muted">{title}</p>
      {turn !== null && (
        <fieldset class="choice">
          <legend class="hidden">How much</legend>
          <Choice text="Whole session" isPicked={isWhole} pick={() => setWhole(true)} />
          <Choice text={`Up to turn ${turn}`} isPicked={!isWhole} pick={() => setWhole(false)} />
        </fieldset>
      )}
      {data !== null && <FolderField folder={folder} standard={data.directory ?? ''} />}
      {problem !== null && <Failure problem={problem} retry={answer.reload} />}
      {data === null && problem === null && <Skeleton lines={5} height={26} />}
      {data !== null && problem === null && (
        <div aria-busy={isLoading} class={isLoading ? 'waiting' : ''}>
          <Facts data={data} />
          <Command
            id={id}
            at={{ turn: at, folder: folder || undefined }}
            rank={rank}
            data={data}
            onClose={onClose}
          />
        </div>
      )}
    </Dialog>
  );
}

/** By itself the session's own folder if it is here, or another checkout of its repository. */
function FolderField({ folder, standard }: { folder: string; standard: string }) {
  return (
    <label class="choice">
      Starts in
      <input
        type="text"
        class="mono"
        spellcheck={false}
        autoComplete="off"
        placeholder={standard}
        defaultValue={folder || standard}
        onChange={(event) => change({ folder: event.currentTarget.value.trim() })}
      />
    </label>
  );
}

function Choice({ text, isPicked, pick }: { text: string; isPicked: boolean; pick: () => void }) {
  return (
    <label>
      <input type="radio" name="how-much" checked={isPicked} onChange={pick} /> {text}
    </label>
  );
}

function Facts({ data: { checks, notes = [] } }: { data: Preflight }) {
  return (
    <ul class="checks">
      {checks.map((check) => (
        <CheckRow key={check.name} check={check} />
      ))}
      {notes.map((note) => (
        <li key={note} class="note">
          <span class="check-mark">·</span>
          <strong>Note</strong>
          <span>{note}</span>
        </li>
      ))}
    </ul>
  );
}

type CommandProperties = Pick<Properties, 'id' | 'rank' | 'onClose'> & {
  at: Pick<ForkBody, 'turn' | 'folder'>;
  data: Preflight;
};

function Command({ id, at, rank, data: { command, launches = false }, onClose }: CommandProperties) {
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  useEffect(() => setProblem(null), [command]);
  const launch = async () => {
    try {
      await send('POST', `/api/v1/sessions/${encodeURIComponent(id)}/launch`, { ...at, ...foundBy(rank) });
      onClose();
    } catch (error) {
      setProblem(error instanceof ApiProblem ? error : new ApiProblem(0, String(error)));
    }
  };
  return (
    <>
      <pre class="command" tabIndex={0}>
        {command}
      </pre>
      {problem !== null && <Failure problem={problem} />}
      <div class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
        {launches && (
          <button type="button" onClick={launch}>
            Open in the terminal
          </button>
        )}
        <CopyButton text={command} label="Copy command" primary onCopy={() => noteFork(id, rank, at)} />
      </div>
    </>
  );
}
