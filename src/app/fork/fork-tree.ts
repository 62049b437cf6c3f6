import type { SessionPayload } from '../../domain/point/point.ts';
import { chainQuality, forkSucceeded, type SessionOutcome } from '../../domain/search/chain-quality.ts';
import type { ThisMachine } from '../../ports/machine.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';

/** Sessions by id, and the forks of each. */
export interface ForkLinks {
  sessions: Map<string, SessionPayload>;
  forks: Map<string, SessionPayload[]>;
}

export interface ForkTree {
  session_id: string;
  /** Null for a parent that is named but not indexed. */
  session: SessionPayload | null;
  /** Whether it came to something; null for what is no fork, and for a copy that nobody has gone on from. */
  succeeded: boolean | null;
  /** 0 to 1; null where nothing is known. */
  quality: number | null;
  forks: ForkTree[];
}

const PAGE = 500;

/** Reads who was forked from whom, of all sessions. */
export async function readForkLinks(store: PointStore): Promise<ForkLinks> {
  const links: ForkLinks = { sessions: new Map(), forks: new Map() };
  let cursor: string | undefined;
  do {
    const page = await store.list({}, PAGE, cursor);
    for (const session of page.sessions) {
      links.sessions.set(session.session_id, session);
      const parent = session.parent?.session_id;
      if (parent !== undefined) links.forks.set(parent, [...(links.forks.get(parent) ?? []), session]);
    }
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return links;
}

/** The whole tree that a session belongs to, from its oldest known ancestor on; forks in the order of their time. */
export function forkTree(
  deps: { sources: TranscriptSource[]; machine: ThisMachine },
  links: ForkLinks,
  sessionId: string,
): ForkTree {
  const seen = new Set<string>();
  const grow = (id: string): ForkTree => {
    seen.add(id);
    const session = links.sessions.get(id) ?? null;
    const children = (links.forks.get(id) ?? [])
      .filter(({ session_id }) => !seen.has(session_id))
      .sort((a, b) => ((a.ended_at ?? '') < (b.ended_at ?? '') ? -1 : 1));
    const outcome = session && outcomeOf(deps, session);
    return {
      session_id: id,
      session,
      succeeded: outcome && session?.parent && wasUsed(session) ? forkSucceeded(outcome) : null,
      quality:
        outcome &&
        chainQuality(
          outcome,
          children.filter(wasUsed).map((child) => outcomeOf(deps, child)),
        ),
      forks: children.map(({ session_id }) => grow(session_id)),
    };
  };
  return grow(rootOf(links, sessionId));
}

/** A copy that ends with a turn is there before anyone resumes it: until then it says nothing of its origin. */
function wasUsed(session: SessionPayload): boolean {
  return session.message_count > 0;
}

function rootOf(links: ForkLinks, sessionId: string): string {
  const seen = new Set<string>();
  let at = sessionId;
  for (;;) {
    seen.add(at);
    const parent = links.sessions.get(at)?.parent?.session_id;
    if (parent === undefined || seen.has(parent)) return at;
    at = parent;
  }
}

/** The ending is read from the transcript, where it is on this machine. */
function outcomeOf(
  { sources, machine }: { sources: TranscriptSource[]; machine: ThisMachine },
  session: SessionPayload,
): SessionOutcome {
  const source = sources.find(({ agent }) => agent === session.agent);
  const here = session.machine === machine.name ? (source?.inspect(session.jsonl_path) ?? null) : null;
  const ending = here === null ? null : (source?.readEnding(here.path) ?? null);
  return {
    outcome: session.outcome,
    messageCount: session.message_count,
    answered: ending?.answered ?? null,
    tests: ending?.tests ?? null,
  };
}
