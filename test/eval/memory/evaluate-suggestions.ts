import type { SessionPayload } from '../../../src/domain/point/point.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { findByFiles, tellingFiles } from '../../../src/domain/suggest/find-by-files.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { bootstrap, type Interval, mean } from '../metrics.ts';

/**
 * How often a suggestion at the start of a session would be right. Uses the first prompts of real sessions, at their time and in their
 * repository. A suggested session is right if it changed a file that the new session then changes.
 */
export interface SuggestionFigures {
  rule: string;
  /** Number of sessions that change files and have earlier ones in their repository. */
  sessions: number;
  shown: number;
  /** Null if nothing is shown. */
  precision: Interval | null;
}

export async function evaluateSuggestions(store: PointStore): Promise<SuggestionFigures[]> {
  const { sessions } = await store.list({}, 1_000_000);
  const asked: Asked[] = [];
  for (const session of sessions) {
    const earlier = sessions.filter((one) => isEarlier(one, session));
    if (earlier.length === 0 || tellingFiles(session.files_touched).length === 0) continue;
    const [first] = await store.getPoints([pointId(session.session_id, 'intent', 0)]);
    if (first?.payload.type === 'intent') asked.push({ session, earlier, prompt: first.payload.intent_text });
  }
  return RULES.map(({ rule, suggest }) => {
    const shown = asked.flatMap((one) => {
      const suggested = suggest(one);
      return suggested === null ? [] : [isRight(one.session, suggested) ? 1 : 0];
    });
    const precision = shown.length === 0 ? null : bootstrap<number>(shown, mean);
    return { rule, sessions: asked.length, shown: shown.length, precision };
  });
}

interface Asked {
  session: SessionPayload;
  earlier: SessionPayload[];
  prompt: string;
}

const RULES: { rule: string; suggest(asked: Asked): SessionPayload | null }[] = [
  { rule: 'the newest of the repository', suggest: ({ earlier }) => newest(earlier) },
  {
    rule: 'the newest of the branch',
    suggest: ({ session, earlier }) =>
      newest(earlier.filter(({ branch }) => branch !== null && branch === session.branch)),
  },
  ...[1, 2].map((fewest) => ({
    rule: `changed most of the files that the prompt names, at least ${fewest}`,
    suggest: ({ prompt, earlier }: Asked) => findByFiles(prompt, earlier, fewest)?.session ?? null,
  })),
];

function isEarlier(one: SessionPayload, session: SessionPayload): boolean {
  return (
    one.session_id !== session.session_id &&
    one.repo_id === session.repo_id &&
    one.ended_at !== null &&
    session.started_at !== null &&
    one.ended_at < session.started_at
  );
}

function newest(sessions: SessionPayload[]): SessionPayload | null {
  return sessions.reduce<SessionPayload | null>(
    (best, one) => ((one.ended_at ?? '') > (best?.ended_at ?? '') ? one : best),
    null,
  );
}

function isRight(session: SessionPayload, suggested: SessionPayload): boolean {
  return tellingFiles(session.files_touched).some((file) => suggested.files_touched.includes(file));
}
