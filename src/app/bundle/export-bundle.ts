import {
  BUNDLE_VERSION,
  type BundleHead,
  HEAD_NAME,
  LARGEST_SESSION,
  MAX_OF_SESSION,
  type Places,
  sessionName,
  transcriptName,
} from '../../domain/bundle/bundle-format.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { Progress } from '../../domain/summary.ts';
import type { BundleEntry, BundleFile, SealingKey } from '../../ports/bundle/bundle-file.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { PrivacySubject } from '../privacy/privacy-subject.ts';
import { measure, measured, type TranscriptDependencies, transcriptsOf } from './collect-transcripts.ts';

export interface BundleDependencies extends TranscriptDependencies {
  store: Pick<PointStore, 'getHashes' | 'getPoints'>;
  /** The facts for the importer's privacy rules. */
  subject: (session: SessionPayload) => PrivacySubject;
  bundle: BundleFile;
  now: () => number;
}

interface BundleOptions {
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** The planned contents of a bundle. */
export interface BundlePlan {
  sessions: SessionPayload[];
  transcripts: number;
  /** Size of the transcripts; a file that is being written may be larger. */
  bytes: number;
  /** Ids of sessions whose transcript is neither here nor archived: only their index data is exported. */
  withoutTranscript: string[];
}

export async function planBundle(
  deps: TranscriptDependencies,
  sessions: SessionPayload[],
): Promise<BundlePlan> {
  const plan: BundlePlan = { sessions, transcripts: 0, bytes: 0, withoutTranscript: [] };
  for (const session of sessions) {
    const found = await transcriptsOf(deps, session);
    plan.transcripts += found.length;
    plan.bytes += found.reduce((sum, { about }) => sum + about, 0);
    if (!found.some(({ agentId }) => agentId === null)) plan.withoutTranscript.push(session.session_id);
  }
  return plan;
}

/** Writes sessions with their index data, and their transcripts byte for byte. Returns the file's size in bytes. */
export function exportBundle(
  deps: BundleDependencies,
  { sessions }: BundlePlan,
  key: SealingKey,
  { signal, onProgress }: BundleOptions,
): Promise<number> {
  async function* entries() {
    yield textEntry(HEAD_NAME, headOf(deps, sessions));
    for (const [index, session] of sessions.entries()) {
      yield* sessionEntries(deps, session, index);
      onProgress?.({ unit: 'session', done: index + 1, total: sessions.length, label: session.repo_name });
    }
  }
  return deps.bundle.write(entries(), key, signal);
}

function headOf({ now }: BundleDependencies, sessions: SessionPayload[]): BundleHead {
  const created = new Date(now()).toISOString();
  return { format: 'smart-fork-bundle', version: BUNDLE_VERSION, created, sessions: sessions.length };
}

async function* sessionEntries(
  deps: BundleDependencies,
  session: SessionPayload,
  index: number,
): AsyncGenerator<BundleEntry> {
  const found = await transcriptsOf(deps, session);
  const transcripts = [];
  for (const one of found) transcripts.push(await measure(one));
  const points = await deps.store.getPoints([...(await deps.store.getHashes(session.session_id)).keys()]);
  const payloads = points.map(({ payload }) => payload);
  const places = placesOf(deps.subject(session));
  const record = textEntry(sessionName(index), { session, points: payloads, places, transcripts });
  refuseTooLarge(session, record.bytes, transcripts.length);
  yield record;
  for (const [at, one] of transcripts.entries()) {
    const readable = found[at];
    if (readable === undefined) continue;
    yield { name: transcriptName(index, one), bytes: one.bytes, content: measured(readable, one) };
  }
}

/** `import` would otherwise refuse the whole bundle. */
function refuseTooLarge({ session_id }: SessionPayload, bytes: number, transcripts: number): void {
  if (bytes <= LARGEST_SESSION && transcripts <= MAX_OF_SESSION) return;
  throw new SmartForkError('USAGE', `session ${session_id} is too large for a bundle`, {
    hint: 'Nothing was written. Select the other sessions by id or filter.',
  });
}

function placesOf({ workingDirectories, branches, repositories }: PrivacySubject): Places {
  const names = repositories.flatMap(({ repoKey, repoName }) => [repoKey ?? [], repoName ?? []].flat());
  return { folders: workingDirectories, branches, repositories: [...new Set(names)] };
}

function textEntry(name: string, value: unknown): BundleEntry {
  const text = Buffer.from(`${JSON.stringify(value)}\n`);
  async function* content() {
    yield text;
  }
  return { name, bytes: text.length, content: content() };
}
