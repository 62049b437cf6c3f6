import type { ComponentChildren } from 'preact';
import type { IdeaView, RelationView } from '../../domain/memory/memory-result.ts';
import { kindText } from '../../domain/text/memory-text.ts';
import { visible } from '../markdown/visible.ts';
import { day } from '../parts/format.ts';
import { inlineCode } from '../parts/inline-code.tsx';
import { Link } from '../route/link.tsx';
import { sessionAddress } from '../route/route.ts';

/** What was decided, asked, found …, and where. */
export function IdeaRow({ idea, shortId }: { idea: Shown; shortId: string | undefined }) {
  const { kind, content, quote, options, relations } = idea;
  const isReplaced = relations.some(({ kind: of, reversed }) => of === 'supersedes' && reversed);
  return (
    <FoundRow
      kind={kind}
      name={kindText(idea)}
      place={{ ...idea, shortId }}
      notes={isReplaced ? ['superseded'] : []}
    >
      <p>{isReplaced ? <s>{inlineCode(content)}</s> : inlineCode(content)}</p>
      {options.length > 0 && <p class="muted">Not taken: {visible(options.join('; '))}</p>}
      {!content.includes(quote) && <blockquote>{inlineCode(withoutStart(quote, content))}</blockquote>}
    </FoundRow>
  );
}

type Shown = IdeaView & { relations: RelationView[] };

interface Place {
  session_id: string;
  session_title?: string;
  shortId: string | undefined;
  /** Counted from 0; null in a subagent's conversation. */
  turn: number | null;
  timestamp: string | null;
}

interface Properties {
  kind: string;
  /** What it is called; default: the kind. */
  name?: string;
  place: Place;
  notes?: string[];
  children: ComponentChildren;
}

/** Something that a session says, with the session, the turn and the day, and a link that forks it there. */
export function FoundRow({ kind, name = kind, place, notes = [], children }: Properties) {
  const { session_id, session_title, shortId, turn, timestamp } = place;
  const at = turn === null ? null : turn + 1;
  const title = session_title === undefined ? shortId : visible(session_title);
  return (
    <li class="idea">
      <span class={`kind ${kind}`}>{name}</span>
      <div>
        {children}
        <span class="facts">
          <Link to={sessionAddress(session_id, { turn: at })}>
            {title}, {at === null ? 'a subagent' : `turn ${at}`}
          </Link>
          {session_title !== undefined && <span class="mono">{shortId}</span>}
          <span>{day(timestamp)}</span>
          {notes.map((note) => (
            <span key={note}>{note}</span>
          ))}
          {at !== null && <Link to={sessionAddress(session_id, { turn: at, fork: at })}>Fork from here</Link>}
        </span>
      </div>
    </li>
  );
}

/** A quote often begins with the sentence that stands above it. */
function withoutStart(quote: string, content: string): string {
  return quote.startsWith(content) ? `… ${quote.slice(content.length).trimStart()}` : quote;
}
