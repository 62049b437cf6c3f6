import {
  type HtmlTurn,
  htmlEnd,
  htmlFacts,
  htmlHead,
  htmlTurn,
  type ProseHtml,
} from '../../../domain/html/session-html.ts';
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
/** Turns of one subagent that are in it. */
const MAX_SUBAGENT_TURNS = 100;

type Dependencies = Parameters<typeof readTurnWindow>[0];

/** A session as one HTML document, redacted, that any browser shows without a network and without scripts. */
export async function writeHtml(
  deps: Dependencies,
  session: SessionPayload,
  { thinking, proseHtml }: { thinking: boolean; proseHtml: ProseHtml },
): Promise<SessionHtml> {
  const titles = (await readOutline(deps, session)).map(({ title }) => title);
  const record = shownRecord(session);
  const parts = [htmlHead(record, htmlFacts(record), titles)];
  let [written, length] = [0, 0];
  while (written < titles.length && length < MAX_LENGTH) {
    const { turns } = await readTurnWindow(deps, session, { from: written, count: WINDOW });
    if (turns.length === 0) break;
    for (const turn of turns) {
      const html = htmlTurn(await completed(deps, session, turn, thinking), proseHtml);
      parts.push(html);
      length += html.length;
    }
    written += turns.length;
  }
  const left = titles.length - written;
  parts.push(htmlEnd(left === 0 ? null : leftOut(left)));
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
    steps.push({ ...step, ...(await subagentOf(deps, session, step.id, thinking)) });
  }
  return { ...turn, steps };
}

/** A subagent's turns, and what of them is missing. */
async function subagentOf(
  deps: Dependencies,
  session: SessionPayload,
  subagent: string,
  thinking: boolean,
): Promise<{ turns: HtmlTurn[]; note?: string }> {
  try {
    const wanted = { from: 0, count: MAX_SUBAGENT_TURNS, subagent };
    const { turns, total } = await readTurnWindow(deps, session, wanted);
    const shown = turns.map((one): HtmlTurn => {
      return { ...one, steps: one.steps.filter(({ kind }) => kind !== 'thinking' || thinking) };
    });
    const left = total - turns.length;
    return left === 0 ? { turns: shown } : { turns: shown, note: leftOut(left) };
  } catch (error) {
    return { turns: [], note: `Its turns are left out: ${error instanceof Error ? error.message : error}.` };
  }
}

function leftOut(turns: number): string {
  return turns === 1 ? 'The last turn is left out.' : `The last ${turns} turns are left out.`;
}

function nameOf(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, 8).join('-').slice(0, 60) || 'session';
}
