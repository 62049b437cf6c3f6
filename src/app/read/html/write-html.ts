import { type HtmlTurn, htmlEnd, htmlFacts, htmlHead, htmlTurn } from '../../../domain/html/session-html.ts';
import { shownRecord } from '../../../domain/json/shown-record.ts';
import type { SessionPayload } from '../../../domain/point/point.ts';
import { shortId } from '../../../domain/session/session-id.ts';
import type { ReaderTurn } from '../turns/reader-turn.ts';
import { readOutline, readTurnWindow } from '../turns/turn-reader.ts';

export interface SessionHtml {
  session_id: string;
  /** A name for the file. */
  file: string;
  turns: number;
  /** Turns at the end that are not in it, because it would be too large for a browser. */
  left_out: number;
  html: string;
}

/** Turns read at once, so that a server answers others in between. */
const WINDOW = 20;
/** In UTF-16 units. */
const MAX_LENGTH = 40_000_000;
const MAX_SUBAGENT_TURNS = 100;

type Dependencies = Parameters<typeof readTurnWindow>[0];

/** A session as one HTML document, redacted, that any browser shows without a network and without scripts. */
export async function writeHtml(
  deps: Dependencies,
  session: SessionPayload,
  { thinking }: { thinking: boolean },
): Promise<SessionHtml> {
  const titles = (await readOutline(deps, session)).map(({ title }) => title);
  const record = shownRecord(session);
  const parts = [htmlHead(record, htmlFacts(record), titles)];
  let [written, length] = [0, 0];
  while (written < titles.length && length < MAX_LENGTH) {
    const { turns } = await readTurnWindow(deps, session, { from: written, count: WINDOW });
    if (turns.length === 0) break;
    for (const turn of turns) {
      const html = htmlTurn(await completed(deps, session, turn, thinking));
      parts.push(html);
      length += html.length;
    }
    written += turns.length;
  }
  const left = titles.length - written;
  parts.push(htmlEnd(left === 0 ? null : `The last ${left} turns are left out.`));
  const file = `${nameOf(record.title)}-${shortId(session.session_id)}.html`;
  return { session_id: session.session_id, file, turns: written, left_out: left, html: parts.join('') };
}

/** With the turns of its subagents, and without what the model thought unless that is wanted. */
async function completed(
  deps: Dependencies,
  session: SessionPayload,
  turn: ReaderTurn,
  thinking: boolean,
): Promise<HtmlTurn> {
  const steps: HtmlTurn['steps'] = [];
  for (const step of turn.steps) {
    if (step.kind === 'thinking' && !thinking) continue;
    if (step.kind !== 'subagent') {
      steps.push(step);
      continue;
    }
    const wanted = { from: 0, count: MAX_SUBAGENT_TURNS, subagent: step.id };
    const { turns } = await readTurnWindow(deps, session, wanted).catch(() => ({ turns: [] }));
    const inner = turns.map((one): HtmlTurn => {
      return { ...one, steps: one.steps.filter(({ kind }) => kind !== 'thinking' || thinking) };
    });
    steps.push({ ...step, turns: inner });
  }
  return { ...turn, steps };
}

function nameOf(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, 8).join('-').slice(0, 60) || 'session';
}
