import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { NewThread, ThreadImports } from '../../../ports/transcript-source.ts';
import { findImport } from '../files/session-imports.ts';
import { type Ask, type Hear, inShape, refused } from './app-server.ts';
import { forkThrough, type Prompt, promptsOf } from './fork-thread.ts';

type Request = Omit<Parameters<ThreadImports['fork']>[0], 'transcript'> & { transcript: { path: string } };

/**
 * Has Codex import a session from Claude Code, and forks the import. Codex keeps one import per session and appends what the session
 * has gained since.
 */
export async function forkImported(
  server: { ask: Ask; hear: Hear },
  home: string,
  request: Request,
): Promise<NewThread> {
  const { path } = request.transcript;
  const before = findImport(home, path);
  if (before === null || before.sha256 !== hashOf(path)) {
    // New turns must not be appended behind the user's own work in the import.
    if (before !== null) importedPrompts(await promptsOf(server.ask, before.threadId), 'only');
    await importSession(server, request);
  }
  const made = findImport(home, path);
  if (made === null) throw refused('it skipped the session');
  const asked = importedPrompts(await promptsOf(server.ask, made.threadId), 'first');
  const last = asked.at(-1);
  if (last === undefined) throw refused('it imported no turns');
  if (request.turn !== null) {
    return forkThrough(server.ask, made.threadId, asked, { ...request, turn: request.turn });
  }
  const whole = { ...request, prompts: asked.map(({ text }) => text), turn: asked.length };
  const thread = await forkThrough(server.ask, made.threadId, asked, whole);
  return { ...thread, turn: request.prompts.length };
}

/** Has Codex import a session that it gets only once. The import itself is continued: a fork of it would leave two sessions. */
export async function importOnce(
  server: { ask: Ask; hear: Hear },
  home: string,
  request: Pick<Request, 'transcript' | 'prompts' | 'workingDirectory'>,
): Promise<NewThread> {
  await importSession(server, request);
  const made = findImport(home, request.transcript.path);
  if (made === null) throw refused('it skipped the session');
  const answer = await server.ask('thread/read', { threadId: made.threadId });
  const { thread } = inShape(threadSchema, 'thread/read', answer);
  return { sessionId: thread.id, path: thread.path, turn: request.prompts.length };
}

const threadSchema = z.object({ thread: z.object({ id: z.string(), path: z.string() }) });

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

const completedSchema = z.object({
  itemTypeResults: z.array(z.object({ failures: z.array(z.object({ message: z.string() })) })),
});

async function importSession(
  { ask, hear }: { ask: Ask; hear: Hear },
  request: Pick<Request, 'transcript' | 'workingDirectory'>,
): Promise<void> {
  const { transcript, workingDirectory: cwd } = request;
  const sessions = [{ cwd, path: transcript.path, title: null }];
  const item = { itemType: 'SESSIONS', description: 'smart-fork', cwd: null, details: { sessions } };
  const [completed] = await Promise.all([
    hear('externalAgentConfig/import/completed'),
    ask('externalAgentConfig/import', { migrationItems: [item] }),
  ]);
  const { itemTypeResults } = inShape(completedSchema, 'externalAgentConfig/import', completed);
  const failure = itemTypeResults.flatMap(({ failures }) => failures)[0];
  if (failure !== undefined) throw refused(failure.message);
}

/** The imported prompts. The user may have continued the import after them. */
function importedPrompts(asked: Prompt[], where: 'only' | 'first'): Prompt[] {
  const own = asked.findIndex(({ turnId }) => !turnId.startsWith('external-import-turn-'));
  const imported = own === -1 ? asked : asked.slice(0, own);
  const mixed = asked.slice(imported.length).some(({ turnId }) => turnId.startsWith('external-import-turn-'));
  if (mixed || (where === 'only' && own !== -1)) {
    throw refused('its earlier import and the original have both been continued since');
  }
  return imported;
}
