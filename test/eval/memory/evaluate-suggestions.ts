import type { SessionPayload } from '../../../src/domain/point/point.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { bootstrap, type Interval, mean } from '../metrics.ts';

/**
 * How often a suggestion at the start of a session would be right. The first prompts of real sessions are asked at their time, in
 * their repository; a suggested session is right if it changed a file that the new session then changes.
 */
export interface SuggestionFigures {
  rule: string;
  /** Sessions that change files, and have earlier ones in their repository. */
  sessions: number;
  shown: number;
  /** Null when nothing is shown. */
  precision: Interval | null;
}

export async function evaluateSuggestions(store: PointStore): Promise<SuggestionFigures[]> {
  const { sessions } = await store.list({}, 1_000_000);
  const asked: Asked[] = [];
  for (const session of sessions) {
    const earlier = sessions.filter((one) => isEarlier(one, session));
    if (earlier.length === 0 || telling(session.files_touched).length === 0) continue;
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
    suggest: ({ prompt, earlier }: Asked) => byNamedFiles(prompt, earlier, fewest),
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

const NAMED_FILE = /(?<![\w/:.])@?(?:\.\/)?((?:[\w@.-]+\/)+[\w.-]+\.[a-z]{1,5})\b/gi;

/** Rare files weigh more; of equals, the newest session. */
function byNamedFiles(prompt: string, earlier: SessionPayload[], fewest: number): SessionPayload | null {
  const named = telling([...new Set(Array.from(prompt.matchAll(NAMED_FILE), ([, file = '']) => file))]);
  const changed = (one: SessionPayload, file: string) =>
    one.files_touched.some((path) => path === file || path.endsWith(`/${file}`) || file.endsWith(`/${path}`));
  const weights = named.map((file) => {
    const sessions = earlier.filter((one) => changed(one, file)).length;
    return { file, weight: Math.log(1 + earlier.length / Math.max(1, sessions)) };
  });
  const scored = earlier.map((one) => {
    const hits = weights.filter(({ file }) => changed(one, file));
    return { one, hits: hits.length, score: hits.reduce((sum, { weight }) => sum + weight, 0) };
  });
  const best = Math.max(...scored.map(({ score }) => score));
  const enough = scored.filter(({ hits, score }) => hits >= fewest && score === best);
  return newest(enough.map(({ one }) => one));
}

function isRight(session: SessionPayload, suggested: SessionPayload): boolean {
  return telling(session.files_touched).some((file) => suggested.files_touched.includes(file));
}

/** Files that change with everything say nothing. */
function telling(files: string[]): string[] {
  return files.filter((file) => !/(?:^|\/)(?:CHANGELOG|README)[^/]*$|package(?:-lock)?\.json$/i.test(file));
}
