import { markOf } from '../../domain/agent/change-mark.ts';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import { isMemory, type SessionPayload } from '../../domain/point/point.ts';
import { emptyDraft, type SessionDraft } from '../../domain/session/draft.ts';
import { whyNoSession } from '../../domain/session/unread.ts';
import type { Cursor } from '../../ports/index-state.ts';
import type { TimeLimit } from '../../ports/time-limit.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';
import { subjectOf } from '../privacy/privacy-subject.ts';
import { getSession } from '../sessions/get-session.ts';
import { readingRules } from './chunking-name.ts';
import type { IndexDependencies, Run } from './index-run.ts';
import { limitProbe, limitReading, limitRedactor, timeFor } from './limit-session.ts';
import { nameMarkOf } from './name-mark.ts';
import { type PreparedSession, prepareSession, progressFrom } from './prepare-session.ts';
import { withoutTexts } from './without-texts.ts';
import { flush, settle } from './write-groups.ts';

/**
 * Reads a transcript and queues its changes for writing. A long one takes several steps, so that only part of it is in memory.
 * `fresh`: ignores the cursor.
 */
export async function take(run: Run, file: TranscriptFile, fresh: boolean): Promise<void> {
  const limit = run.deps.startLimit(timeFor(file));
  let options = { fresh, continues: false, limit };
  while (await takeStep(run, file, options)) {
    options = { fresh: false, continues: true, limit };
    // The next step continues from what has been written.
    await settle(run);
    if (run.conflicts.includes(file) || run.signal?.aborted === true) return;
  }
}

/** Returns whether more of the transcript follows. */
async function takeStep(run: Run, file: TranscriptFile, options: StepOptions): Promise<boolean> {
  const { deps, report, group } = run;
  const read = await attempt(() => prepareAllowed(run, file, options), file, run);
  if (read === null) {
    if (options.limit.isOver()) deps.state.put([givenUp(run, file)]);
    return false;
  }
  const { prepared, isExcluded, isKnown, isQuestion } = read;
  if (isKnown || isQuestion) {
    const cursor = withoutTexts(prepared.cursor);
    deps.state.put([isQuestion ? asOnlyAsking(cursor) : cursor]);
    return false;
  }
  for (const { reason } of prepared.skipped) report.skipped[reason] = (report.skipped[reason] ?? 0) + 1;
  const onlyAsked = hasOnlyAsked(prepared);
  if (!isExcluded && prepared.goesOn && (onlyAsked || isEmpty(prepared)))
    return takeStep(run, file, { ...options, fresh: true, continues: true });
  if (isExcluded || onlyAsked || isEmpty(prepared)) {
    if (file.onlyPrompts !== true) report[isExcluded ? 'excluded' : 'empty'] += 1;
    const isStored = prepared.change.expected !== null;
    if (isExcluded) deps.state.forgetSessions([file.sessionId]);
    if (isExcluded || (onlyAsked && isStored)) await deps.store.deleteSessions([file.sessionId]);
    if (isExcluded) await deps.archive.remove([file.sessionId]);
    const saysWhy = !isStored && file.onlyPrompts !== true;
    const cursor = saysWhy ? withReason(prepared.cursor) : prepared.cursor;
    deps.state.put([isExcluded ? withoutTexts(prepared.cursor) : cursor]);
    return false;
  }
  group.push({ file, prepared });
  const texts = group.reduce((total, one) => total + textsOf(one.prepared), 0);
  if (texts >= GROUP_TEXTS || deps.now() - run.groupSince > GROUP_MS) await flush(run);
  return prepared.goesOn;
}

function textsOf({ change }: PreparedSession): number {
  return change.upserts.filter(({ payload }) => !isMemory(payload)).length + 1;
}

/** The cursor with the reason why there is no session of its transcript. It is read from its beginning when it has changed. */
function withReason(cursor: Cursor): Cursor {
  const { progress } = cursor;
  const reason = whyNoSession(progress.draft);
  if (reason === null) return cursor;
  return { ...cursor, progress: { ...progress, skipped: { ...progress.skipped, [reason]: 1 } } };
}

/** The cursor of a transcript that took too long: it is not tried again until it changes, or is read differently. */
function givenUp({ deps, storeId }: Run, file: TranscriptFile): Cursor {
  return {
    path: file.path,
    sessionId: file.sessionId,
    storeId,
    chunking: readingRules(deps.model, deps.privacy),
    ...markOf(file),
    name: nameMarkOf(file),
    contentHash: '',
    progress: { ...progressFrom(NO_ORIGIN), skipped: { 'took too long': 1 } },
  };
}

interface StepOptions {
  fresh: boolean;
  /** Whether this is not the first step. */
  continues: boolean;
  limit: TimeLimit;
}

/**
 * Sessions are written in groups, because a transaction costs more than a small session. Groups are small, so that a writer thread starts
 * early. Findings and topics are not counted: they are short.
 */
const GROUP_TEXTS = 120;
const GROUP_MS = 1000;

async function prepareAllowed(run: Run, file: TranscriptFile, options: StepOptions): Promise<Read | null> {
  const stored = await getSession(run.deps.store, file.sessionId);
  // Checked before reading: the history contains the questions, but not that they were addressed to smart-fork.
  const before = file.onlyPrompts === true ? run.deps.state.ofSession(file.sessionId) : null;
  const hasGrown = before?.path === file.path && before.size !== file.size;
  const isQuestion = stored === null && before !== null && !hasGrown && onlyAsks(before.progress.draft);
  const prepared = await prepare(run, file, stored, options);
  if (prepared === null) return null;
  // A session read from its transcript is more complete than its prompts.
  const isKnown = file.onlyPrompts === true && stored !== null && stored.jsonl_path !== file.path;
  const isExcluded = options.limit.run(() => !isAllowed(run.deps, prepared));
  return { prepared, isExcluded, isKnown, isQuestion };
}

interface Read {
  prepared: PreparedSession;
  isExcluded: boolean;
  isKnown: boolean;
  /** Its transcript is gone and contained nothing but queries to smart-fork. */
  isQuestion: boolean;
}

async function prepare(
  { deps, storeId, findParent, probed }: Run,
  file: TranscriptFile,
  stored: SessionPayload | null,
  { fresh, continues, limit }: StepOptions,
): Promise<PreparedSession | null> {
  const source = deps.sources.find(({ agent }) => agent === file.agent);
  if (source === undefined) return null;
  const { machine, model, store, state, probe, redactor } = deps;
  return prepareSession({
    file,
    source: limitReading(file.onlyPrompts === true ? (source.history ?? source) : source, limit),
    probe: limitProbe(probe, limit, probed),
    redactor: limitRedactor(redactor, limit),
    limit,
    settings: { machine, sizes: model.chunk, chunking: readingRules(model, deps.privacy), storeId },
    stored,
    cursor: fresh ? null : state.get(file.path),
    continues,
    storedHashes: () => store.getHashes(file.sessionId),
    modelIdeas: () => state.modelIdeas(file.sessionId),
    origin: async () => (file.onlyPrompts === true ? NO_ORIGIN : findParent(source, file, limit)),
  });
}

const NO_ORIGIN = { fingerprint: null, inheritance: null, turnsBefore: 0 };

/** Turns an unreadable transcript into a line of the report, and leaves out one that was deleted meanwhile. A failing store ends the run. */
async function attempt<T>(
  work: () => Promise<T | null>,
  file: TranscriptFile,
  { deps, report }: Run,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SmartForkError && error.code !== 'TRANSCRIPT_UNREADABLE') throw error;
    const source = deps.sources.find(({ agent }) => agent === file.agent);
    if (source?.inspect(file.path) === null) return null;
    report.failed.push({ path: file.path, reason: errorText(error) });
    deps.state.noteUnreadable(file.path, file.sessionId);
    return null;
  }
}

function isAllowed({ privacy, probe }: IndexDependencies, { change, cursor }: PreparedSession): boolean {
  const { payload } = change.session;
  return privacy.allows(subjectOf(payload.jsonl_path, payload, cursor.progress.draft, probe));
}

/**
 * Whether a transcript contains nothing to index: no messages, or only copies of its parent's. An emptied file is treated like a
 * deleted one: the indexed session stays.
 */
function isEmpty({ change, cursor }: PreparedSession): boolean {
  if (change.session.payload.bytes === 0) return true;
  const holdsNothing = change.upserts.length === 0 && cursor.progress.draft.toolCalls === 0;
  return change.expected === null && holdsNothing;
}

/** Whether a session only queried smart-fork: it must not be found instead of the session it searched for. */
function hasOnlyAsked({ change, cursor }: PreparedSession): boolean {
  return change.session.payload.chunk_count === 0 && onlyAsks(cursor.progress.draft);
}

/** Whether a draft contains nothing but smart-fork's own messages. */
function onlyAsks({ ownMessages = 0, userMessages, assistantMessages, toolCalls }: SessionDraft): boolean {
  return ownMessages > 0 && userMessages + assistantMessages + toolCalls === 0;
}

/** The cursor with a minimal draft for which `onlyAsks` is true. */
function asOnlyAsking(cursor: Cursor): Cursor {
  return { ...cursor, progress: { ...cursor.progress, draft: { ...emptyDraft(), ownMessages: 1 } } };
}
