import { AGENT_ROWS } from '../../domain/agent/agents.ts';
import { archiveText } from '../../domain/archive/archive-text.ts';
import { errorText, type Problem, problemOf, SmartForkError } from '../../domain/errors.ts';
import type { Notice } from '../../domain/search-result.ts';
import { checkOf, type HealthCheck } from '../../domain/server-state.ts';
import { type Unread, unreadWithFiles } from '../../domain/session/unread.ts';
import type { ArchiveSize } from '../../domain/summary.ts';
import { plural, timeAgo } from '../../domain/text/time-text.ts';
import type { LoggedError } from '../../ports/error-log.ts';
import type { LocalStore } from '../../ports/outbox.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { Reranker } from '../../ports/rerank/reranker.ts';
import type { OnProblem, TranscriptSource } from '../../ports/transcript-source.ts';
import { checkModel, checkReranker, type ModelFacts } from './check-model.ts';
import { findDuplicates } from './find-duplicates.ts';

interface HealthInput {
  nodeVersion: string;
  home: string;
  /** Problems with the permissions of smart-fork's home and its files. */
  homeProblems: (Problem & { fatal: boolean })[];
  /** Invalid settings, for which the defaults are used. */
  invalidSettings: SmartForkError[];
  /** Keys in config.json that have no effect. */
  withoutEffect: { key: string; reason: string }[];
  /** Throws if one of the user's own patterns is unusable. */
  checkPatterns: () => Promise<void>;
  /** Id of the encryption key; null if encryption is off. Throws if encryption is on and there is no key. */
  sealingKey: () => string | null;
  /** Problems with this machine's databases; the store's own is named `Store`. */
  databases: () => { name: string; problem: Problem }[];
  openStore: () => Promise<PointStore & Pick<LocalStore, 'notices'>>;
  model: () => Promise<ModelFacts>;
  /** Null if none is configured. */
  reranker: Pick<Reranker, 'name' | 'state' | 'score'> | null;
  /** Why the server last refused to embed. */
  notEmbedded: () => Promise<Problem | null>;
  sources: TranscriptSource[];
  archive: () => Promise<ArchiveSize>;
  /** Damaged parts of the archive. */
  damagedParts: () => Promise<Problem[]>;
  /** What was not read, by reason. */
  unread: () => Unread[];
  /** That transcripts are not indexed yet. */
  unindexed: () => Promise<Notice | null>;
  /** What failed on this machine, oldest first. */
  errors: () => LoggedError[];
  now: number;
  /** Whether a worker is running, which embeds pending passages. */
  isWorking: boolean;
}

/** Checks everything that smart-fork needs. Never throws. */
export async function checkHealth(input: HealthInput): Promise<HealthCheck[]> {
  const databases = await checkDatabases(input);
  return [
    checkNode(input.nodeVersion),
    ...checkHome(input),
    ...(await checkSettings(input)),
    ...checkKey(input),
    ...databases,
    await checkModelHere(input),
    ...(await checkReranker(input.reranker)),
    ...(await checkArchive(input)),
    ...checkErrors(input),
    ...checkAgents(input.sources),
    // Opening a damaged database could write to it.
    ...(databases.some(({ status }) => status === 'fail') ? [] : checkUnread(input)),
  ];
}

const DAYS = 7;

function checkErrors({ errors, now, home }: HealthInput): HealthCheck[] {
  const since = new Date(now - DAYS * 24 * 60 * 60_000).toISOString();
  const recent = errors().filter(({ at }) => at >= since);
  const last = recent.at(-1);
  if (last === undefined) return [];
  const message = `${plural(recent.length, 'error')} in ${DAYS} days; the last, ${timeAgo(last.at, now)}: ${last.doing}: ${last.message}`;
  return [{ name: 'Errors', status: 'note', message, fix: `All are in ${home}/logs/errors.log.` }];
}

function checkNode(version: string): HealthCheck {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const fine = major > 20 || (major === 20 && minor >= 19);
  return fine
    ? { name: 'Node', status: 'ok', message: version }
    : { name: 'Node', status: 'fail', message: `${version} is too old`, fix: 'Install Node 20.19 or later.' };
}

function checkHome({ home, homeProblems }: HealthInput): HealthCheck[] {
  if (homeProblems.length === 0) return [{ name: 'Home', status: 'ok', message: home }];
  return homeProblems.map(({ fatal, ...problem }) => checkOf('Home', fatal ? 'fail' : 'warn', problem));
}

async function checkSettings(input: HealthInput): Promise<HealthCheck[]> {
  const { invalidSettings, withoutEffect, checkPatterns } = input;
  const problems = [...invalidSettings];
  await checkPatterns().catch((error: SmartForkError) => problems.push(error));
  const failed = problems.map(
    ({ message, hint }): HealthCheck => ({
      name: 'Settings',
      status: 'fail',
      message,
      fix: `Fix the setting. Until then, this command uses the defaults and other commands refuse to run. ${hint ?? ''}`.trim(),
    }),
  );
  if (withoutEffect.length === 0) return failed;
  const list = withoutEffect.map(({ key, reason }) => `${key} (${reason})`);
  const message = `without effect in config.json: ${list.join(', ')}`;
  return [...failed, { name: 'Settings', status: 'note', message, fix: 'You can remove them.' }];
}

/** While settings cannot be read, encryption counts as on; that failure is reported elsewhere. */
function checkKey({ sealingKey, invalidSettings }: HealthInput): HealthCheck[] {
  if (invalidSettings.length > 0) return [];
  const name = 'Encryption';
  try {
    const id = sealingKey();
    return id === null ? [] : [{ name, status: 'ok', message: `on, with the key ${id}` }];
  } catch (error) {
    const problem = problemIn(error);
    return [checkOf(name, 'fail', { ...problem, message: `on, but nothing is sent: ${problem.message}` })];
  }
}

async function checkDatabases(input: HealthInput): Promise<HealthCheck[]> {
  const damaged = input.databases().map(({ name, problem }) => checkOf(name, 'fail', problem));
  return damaged.some(({ name }) => name === 'Store') ? damaged : [...(await checkStore(input)), ...damaged];
}

async function checkStore({ openStore, sources, unindexed, isWorking }: HealthInput): Promise<HealthCheck[]> {
  try {
    const isFresh = sources.every((source) => source.find().length === 0);
    const store = await openStore();
    const { waiting, ...counts } = await store.count();
    const left = waiting.chunks + waiting.intents;
    const passages = counts.chunks + counts.intents;
    const message = `${plural(counts.sessions, 'session')}, ${plural(passages, 'passage')}`;
    const checks: HealthCheck[] = [
      counts.sessions > 0
        ? { name: 'Store', status: 'ok', message }
        : { name: 'Store', status: isFresh ? 'note' : 'warn', message: 'empty', fix: 'smart-fork index' },
    ];
    if (counts.vectors > 0 && left > 0) {
      checks.push({
        name: 'Embeddings',
        status: isWorking ? 'note' : 'warn',
        message: `${plural(left, 'passage')} not embedded yet${isWorking ? ': the worker is running' : ''}`,
        fix: 'smart-fork index',
      });
    }
    const missing = counts.sessions > 0 ? await unindexed() : null;
    if (missing !== null)
      checks.push({ name: 'Store', status: 'warn', message: missing.message, fix: missing.hint });
    checks.push(...(await checkDuplicates(store)));
    // Looking for duplicates has read every session's record.
    checks.push(...store.notices().map((notice) => checkOf('Store', 'fail', problemOf(notice))));
    return checks;
  } catch (error) {
    return [checkOf('Store', 'fail', problemIn(error))];
  }
}

const MAX_GROUPS = 5;
const SHORT_ID = 8;

/** Lists duplicates without deleting them: only the user knows which attempt counts. */
async function checkDuplicates(store: PointStore): Promise<HealthCheck[]> {
  const groups = await findDuplicates(store);
  if (groups.length === 0) return [];
  const ids = groups
    .slice(0, MAX_GROUPS)
    .map((group) => group.map(({ session_id }) => session_id.slice(0, SHORT_ID)).join(' '));
  const more = groups.length > MAX_GROUPS ? ` and ${groups.length - MAX_GROUPS} more` : '';
  return [
    {
      name: 'Duplicates',
      status: 'note',
      message: `possible duplicates (same first prompt, same changed files): ${ids.join(', ')}${more}`,
      fix: 'smart-fork compare ID ID shows how two differ; smart-fork forget ID removes one.',
    },
  ];
}

async function checkModelHere(input: HealthInput): Promise<HealthCheck> {
  const facts = await input.model();
  const { state, configured } = facts;
  if (state.state !== 'server' || (await input.notEmbedded()) === null) return checkModel(facts);
  const message = `${configured}: refused by ${state.place}, see Embeddings`;
  return { name: 'Model', status: 'warn', message };
}

async function checkArchive(input: HealthInput): Promise<HealthCheck[]> {
  const damaged = await input.damagedParts();
  const [first] = damaged;
  if (first === undefined) return [await checkArchiveSize(input)];
  const more = damaged.length > 1 ? ` (and ${damaged.length - 1} more)` : '';
  return [
    await checkArchiveSize(input),
    checkOf('Archive', 'fail', { ...first, message: `${first.message}${more}` }),
  ];
}

async function checkArchiveSize({ archive }: HealthInput): Promise<HealthCheck> {
  const name = 'Archive';
  try {
    const size = await archive();
    const message = archiveText(size);
    if (!size.enabled) return { name, status: 'ok', message };
    const nearlyFull = size.stored_bytes > NEARLY_FULL * size.max_bytes;
    if (!nearlyFull) return { name, status: 'ok', message };
    const fix =
      'The oldest copies are deleted to make room. For more room: smart-fork config set archive.max_bytes BYTES';
    return { name, status: 'warn', message, fix };
  } catch (error) {
    return { name, status: 'fail', message: errorText(error), fix: 'Make the folder readable to you.' };
  }
}

const NEARLY_FULL = 0.9;

/** A check for each agent with transcripts, and one that names the others. */
function checkAgents(sources: TranscriptSource[]): HealthCheck[] {
  const checks = sources.map((source) => ({ agent: source.agent, check: checkTranscripts(source) }));
  const unused = checks.flatMap(({ agent, check }) => (check === null ? [agent] : []));
  const found = checks.flatMap(({ check }) => check ?? []);
  const names = unused.map((agent) => AGENT_ROWS[agent].name).join(', ');
  const fix = `If you use one of them, set its home: smart-fork config set AGENT.homes '["FOLDER"]' (AGENT: ${unused.join(', ')})`;
  if (unused.length === 0) return found;
  return [...found, { name: 'Agents', status: 'note', message: `no transcripts of ${names}`, fix }];
}

/** Null if the agent has no transcripts here. */
function checkTranscripts(source: TranscriptSource): HealthCheck | null {
  const problems: string[] = [];
  const onProblem: OnProblem = (path, reason, kind) => {
    if (kind === undefined) problems.push(`${path}: ${reason}`);
  };
  const files = source.find(onProblem);
  const { name } = AGENT_ROWS[source.agent];
  if (problems.length > 0) {
    const message = `${plural(files.length, 'transcript')}; ${plural(problems.length, 'path')} cannot be read: ${problems[0]}`;
    return { name, status: 'fail', message, fix: 'Make them readable.' };
  }
  if (files.length === 0) return null;
  return {
    name,
    status: 'ok',
    message: `${plural(files.length, 'transcript')} in ${foldersText(source.roots)}`,
  };
}

function foldersText(roots: string[]): string {
  const more = roots.length - MOST_FOLDERS;
  return `${roots.slice(0, MOST_FOLDERS).join(', ')}${more > 0 ? ` and ${plural(more, 'more folder')}` : ''}`;
}

const MOST_FOLDERS = 3;

/** What the last run did not read, so that nothing is left out in silence. */
function checkUnread({ unread }: HealthInput): HealthCheck[] {
  try {
    return unread().map((one) => ({ name: 'Not read', status: 'note', message: unreadWithFiles(one) }));
  } catch (error) {
    // The check of the notes reports it, too.
    return [checkOf('Not read', 'fail', problemIn(error))];
  }
}

function problemIn(error: unknown): Problem {
  return error instanceof SmartForkError ? problemOf(error) : { message: errorText(error), hint: null };
}
