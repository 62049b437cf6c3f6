import type { Scope, SessionFilter } from '../../domain/search/search.ts';
import { findByFiles, namedFiles } from '../../domain/suggest/find-by-files.ts';
import type { Suggestion } from '../../domain/suggest/suggestion.ts';
import type { RepositoryProbe } from '../../ports/machine.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { SuggestionJournal } from '../../ports/suggest/suggestion-journal.ts';
import { distinctIdeas } from '../memory/idea-view.ts';
import { openIdeas } from '../memory/list-open.ts';
import { repositoryAround } from '../search/repository-filter.ts';

export interface SuggestDependencies {
  store: Pick<PointStore, 'list' | 'listMemory'>;
  journal: SuggestionJournal;
  probe: RepositoryProbe;
  /** The branch checked out in a folder; null if there is none. */
  branchOf(folder: string): string | null;
  now(): number;
  /** The agent is no longer waiting: a suggestion found now is not shown, and may be shown later. */
  isLate(): boolean;
}

/** A session that is starting, or receiving its first prompt. */
export interface NewSession {
  sessionId: string;
  folder: string;
  /** Null at the start. */
  prompt: string | null;
  /** `project`: clones of the repository are left out. */
  scope?: Scope;
  /** It was resumed, forked or compacted, so it has a past of its own. */
  continues: boolean;
}

/** Maximum number of a repository's sessions to consider, newest first, and of ideas. */
const MAX_SESSIONS = 1000;
const MAX_IDEAS = 500;
/** Ideas left open longer ago are probably no longer open. */
const OPEN_DAYS = 30;

/**
 * What to tell a new session about earlier ones of its repository; null if there is nothing to tell, or it was told before. Nothing is
 * suggested to a session that continues another one.
 */
export async function suggestSession(
  deps: SuggestDependencies,
  session: NewSession,
): Promise<Suggestion | null> {
  const { sessionId, folder, prompt, continues, scope } = session;
  const around = repositoryAround(folder, deps.probe);
  const repo = scope === 'project' && around !== null ? { repo_id: around.repo_id } : around;
  if (repo === null) return null;
  const moment = prompt === null ? 'start' : 'prompt';
  const now = new Date(deps.now()).toISOString();
  if (continues) {
    deps.journal.claim(sessionId, 'start', now);
    deps.journal.claim(sessionId, 'prompt', now);
    return null;
  }
  const known = deps.journal.claim(sessionId, moment, now);
  if (known === null) return null;
  const filter = { repo, excludeSessionIds: [sessionId, ...known] };
  const found =
    prompt === null
      ? await atStart(deps, filter, deps.branchOf(folder))
      : await forPrompt(deps.store, filter, prompt);
  const suggested = found?.moment === 'start' ? found.latest : found?.session;
  if (deps.isLate()) return null;
  if (suggested) deps.journal.note(sessionId, moment, suggested.session_id);
  return found;
}

async function atStart(
  { store, now }: SuggestDependencies,
  filter: SessionFilter,
  branch: string | null,
): Promise<Suggestion | null> {
  const onBranch = branch === null ? filter : { ...filter, branch };
  const { sessions } = await store.list(onBranch, 1);
  const since = new Date(now() - OPEN_DAYS * 24 * 60 * 60 * 1000).toISOString();
  const ideas = await store.listMemory('idea', { sessions: onBranch, since }, MAX_IDEAS);
  // A session on another branch may have closed one.
  const others =
    branch === null ? [] : await store.listMemory('idea', { sessions: filter, since }, MAX_IDEAS);
  const { open } = openIdeas(ideas, {
    kinds: ['todo', 'question'],
    around: distinctIdeas([...ideas, ...others]),
  });
  const latest = sessions[0] ?? null;
  return latest === null && open.length === 0 ? null : { moment: 'start', branch, latest, open };
}

async function forPrompt(
  store: SuggestDependencies['store'],
  filter: SessionFilter,
  prompt: string,
): Promise<Suggestion | null> {
  if (namedFiles(prompt).length === 0) return null;
  const { sessions } = await store.list(filter, MAX_SESSIONS);
  const found = findByFiles(prompt, sessions);
  return found && { moment: 'prompt', ...found };
}
