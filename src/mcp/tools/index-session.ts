import * as z from 'zod';
import { archiveTranscripts } from '../../app/archive/archive-transcripts.ts';
import { embedSession } from '../../app/index/embed-session.ts';
import type { IndexReport } from '../../app/index/index-report.ts';
import { indexTranscripts } from '../../app/index/index-transcripts.ts';
import { findTranscript } from '../../app/sessions/find-session.ts';
import { getSession } from '../../app/sessions/get-session.ts';
import { archiveDependencies } from '../../compose/parts.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { shortId } from '../../domain/session/session-id.ts';
import { plural } from '../../domain/text/time-text.ts';
import { vectorsOfPassages } from '../../ports/point-store.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';
import { sessionId } from '../schemas.ts';
import { type Call, defineTool } from '../tool.ts';

const STATES = ['indexed', 'unchanged', 'empty', 'excluded'] as const;
const FOUND_BY = ['words and meaning', 'words'] as const;
type State = (typeof STATES)[number];
type FoundBy = (typeof FOUND_BY)[number];

const output = z.object({
  session_id: z.string(),
  jsonl_path: z.string(),
  state: z.enum(STATES),
  points: z.number().describe('written: passages, decisions, topics'),
  embedded: z.number().describe('embedded of them'),
  found_by: z.enum(FOUND_BY),
  warnings: z.array(z.string()),
});

export const indexSession = defineTool({
  name: 'index_session',
  title: 'Index a session now',
  description:
    'Index one session of this machine now, by default the running one, so that it can be found. Rarely needed: sessions are indexed automatically after every answer.',
  input: z.strictObject({
    session_id: sessionId.optional().describe('default: the running session'),
    embed: z.boolean().default(true).describe('also embed it for search by meaning'),
  }),
  output,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(args, call) {
    const file = transcriptOf(args.session_id, call);
    const { parts } = call;
    const store = await parts.local();
    const report = await indexTranscripts(await parts.indexing(), { files: [file], signal: call.signal });
    const failed = report.failed.find(({ path }) => path === file.path);
    if (failed !== undefined)
      throw new SmartForkError('TRANSCRIPT_UNREADABLE', `${failed.path}: ${failed.reason}`);
    const session = await getSession(store, file.sessionId);
    const embedding =
      session !== null && args.embed ? await embed(session, call) : { embedded: 0, warnings: [] };
    const state = stateOf(report, session !== null);
    const warnings = [...embedding.warnings, ...(await archive(file, call))];
    return {
      structured: {
        session_id: file.sessionId,
        jsonl_path: file.path,
        state,
        points: report.points,
        embedded: embedding.embedded,
        found_by: await foundBy(session, call),
        warnings,
      },
      text: [
        `${file.sessionId}: ${state}, ${plural(report.points, 'passage')} written, ${embedding.embedded} embedded`,
        ...warnings.map((warning) => `note: ${warning}`),
      ].join('\n'),
    };
  },
});

function stateOf({ excluded, indexed }: IndexReport, isStored: boolean): State {
  if (excluded > 0) return 'excluded';
  if (!isStored) return 'empty';
  return indexed > 0 ? 'indexed' : 'unchanged';
}

function transcriptOf(id: string | undefined, call: Call): TranscriptFile {
  const wanted = id ?? call.running[0];
  if (wanted === undefined) {
    throw new SmartForkError('USAGE', 'the running session is unknown', {
      hint: "Give session_id: list_sessions and the transcripts' file names have the ids.",
    });
  }
  const file = findTranscript(call.parts.sources, wanted);
  if (file !== null) return file;
  throw new SmartForkError('SESSION_NOT_FOUND', `session ${wanted} has no transcript on this machine`, {
    hint: 'The agent writes it after the first answer, on the machine where the session runs.',
  });
}

/** Archives the transcript, because the agent will delete it some day. */
async function archive(file: TranscriptFile, { parts, signal }: Call): Promise<string[]> {
  try {
    const { failed } = await archiveTranscripts(await archiveDependencies(parts), { files: [file], signal });
    return failed.map(({ path, reason }) => `${path} was not archived: ${reason}`);
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    return [`the transcript was not archived: ${error.message}`];
  }
}

async function embed(session: SessionPayload, call: Call): Promise<{ embedded: number; warnings: string[] }> {
  const { parts } = call;
  const state = await parts.embedding.state();
  if (state.state === 'server')
    return { embedded: 0, warnings: [`keyword search only until ${state.place} has embedded it`] };
  if (state.state !== 'ready')
    return { embedded: 0, warnings: [`keyword search only: ${state.reason} (smart-fork model pull)`] };
  try {
    const deps = { store: await parts.local(), embedder: await parts.embedding.embedder() };
    const onProgress = ({ done, total }: { done: number; total: number }) =>
      call.progress(`Embedding ${shortId(session.session_id)}`, done, total);
    return { embedded: await embedSession(deps, session, { signal: call.signal, onProgress }), warnings: [] };
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    return { embedded: 0, warnings: [`keyword search only: ${error.message}`] };
  }
}

async function foundBy(session: SessionPayload | null, call: Call): Promise<FoundBy> {
  if (session === null) return 'words';
  const { session_id, intent_count, chunk_count } = session;
  const store = await call.parts.local();
  const counts = await store.count({ sessionIds: [session_id] });
  return vectorsOfPassages(counts) >= intent_count + chunk_count ? 'words and meaning' : 'words';
}
