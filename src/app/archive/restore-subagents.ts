import { errorText, SmartForkError } from '../../domain/errors.ts';
import { agentOf, isAgentId, subagentId } from '../../domain/session/session-id.ts';
import type { ArchiveReader } from '../../ports/session-archive.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { type PutDependencies, putTranscript } from './put-transcript.ts';
import { fromArchives } from './read-archives.ts';

/** More than any session has. */
const MAX_SUBAGENTS = 100_000;

/**
 * Restores a session's archived subagent transcripts next to its own transcript at `path`. Existing files stay as they are.
 * @returns the ids of the restored subagents, and why others could not be restored.
 */
export async function restoreSubagents(
  deps: PutDependencies & { archives: ArchiveReader[] },
  source: TranscriptSource,
  sessionId: string,
  path: string,
  directory: string,
): Promise<{ restored: string[]; notes: string[] }> {
  const { archives, transcripts } = deps;
  const [restored, notes]: [string[], string[]] = [[], []];
  for (const agentId of await archivedSubagents(archives, sessionId)) {
    const target = source.bytes?.subagentPath?.(path, agentId);
    if (target === undefined || transcripts.look(target) !== null || source.inspect(target) !== null)
      continue;
    try {
      const done = await fromArchives(archives, subagentId(sessionId, agentId), async (_, read) => {
        await putTranscript(deps, source, { sessionId: agentId, path: target, directory }, read, null);
        return true;
      });
      if (done === true) restored.push(agentId);
    } catch (error) {
      // The session itself has been restored.
      notes.push(`The transcript of its subagent ${agentId} cannot be restored: ${errorText(error)}`);
    }
  }
  return { restored, notes };
}

export async function archivedSubagents(archives: ArchiveReader[], sessionId: string): Promise<string[]> {
  const ids = new Set<string>();
  for (const archive of archives) {
    try {
      const found = await archive.findByPrefix(subagentId(sessionId, ''), MAX_SUBAGENTS);
      for (const id of found) ids.add(agentOf(id) ?? '');
    } catch (error) {
      // An archive that does not answer is skipped.
      if (!(error instanceof SmartForkError)) throw error;
    }
  }
  return [...ids].filter(isAgentId).sort();
}
