import { basename, dirname, join, sep } from 'node:path';
import { isAgentId } from '../../../domain/session/session-id.ts';
import type { SubagentFile, TranscriptFile } from '../../../ports/transcript-source.ts';
import { statOf } from '../../files/look-at-path.ts';
import { listFiles, listFolder } from '../../jsonl/list-folder.ts';
import type { AgentsBeside } from './agents-beside.ts';
import { agentIn } from './subagent-names.ts';

/** Adds the transcripts of a session's subagents, newest first. Their times count in the session's. */
export function withSubagents(file: TranscriptFile, beside: AgentsBeside): TranscriptFile {
  const found = allSubagents(file, beside);
  if (found.length === 0) return file;
  found.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.agentId < b.agentId ? -1 : 1));
  return { ...file, mtimeMs: Math.max(file.mtimeMs, found[0]?.mtimeMs ?? 0), subagents: found };
}

/** In no particular order. */
export function allSubagents(
  { path, sessionId }: Pick<TranscriptFile, 'path' | 'sessionId'>,
  beside: AgentsBeside,
): SubagentFile[] {
  const folder = subagentFolder(path, sessionId);
  // Most sessions have no subagents, and this runs for every search result: listing a missing folder takes longer than `stat`.
  const inside = statOf(folder) === undefined ? [] : agentsBelow(folder);
  const besideIds = (beside(dirname(path)).get(sessionId) ?? []).map((name) => `${BESIDE}${name}`);
  return [...inside, ...besideIds].flatMap((id) => describe(folder, id));
}

/** Where a subagent's transcript belongs, next to its session's at `path`. */
export function subagentPath(path: string, agentId: string): string {
  return agentPath(subagentFolder(path, basename(path, '.jsonl')), agentId);
}

/** Claude Code 2.0 wrote subagents beside the sessions, two folders above those of today. */
const BESIDE = '../../';

/** `<project>/<session>/subagents/` */
function subagentFolder(path: string, sessionId: string): string {
  return join(dirname(path), sessionId, 'subagents');
}

/** Adds agents in other projects' folders. Their times do not count in the session's. */
export function withStray(file: TranscriptFile, stray: SubagentFile[]): TranscriptFile {
  const { subagents = [] } = file;
  const known = new Set(subagents.map(({ agentId }) => agentId));
  const more = stray.filter(({ agentId }) => !known.has(agentId) && known.add(agentId));
  return more.length === 0 ? file : { ...file, subagents: [...subagents, ...more] };
}

/** The subagents of a session in the folders of other projects, without those beside its sessions, which only listing all finds. */
export function straySubagents({ path, sessionId }: TranscriptFile): SubagentFile[] {
  const own = dirname(path);
  const root = dirname(own);
  if (basename(root) !== 'projects') return [];
  return listFolder(root).flatMap(({ name }) => {
    const folder = join(root, name, sessionId, 'subagents');
    const isElsewhere = join(root, name) !== own && statOf(folder) !== undefined;
    return isElsewhere ? agentsBelow(folder).flatMap((id) => describe(folder, id)) : [];
  });
}

/** The ids of all subagents in a folder and the folders in it: a workflow's are in `workflows/wf_<run>/`. */
function agentsBelow(folder: string): string[] {
  return listFiles(folder).flatMap((path) => {
    const agent = agentIn(basename(path));
    const prefix = path.slice(folder.length + 1, -basename(path).length).replaceAll(sep, '/');
    return agent === null ? [] : [`${prefix}${agent}`];
  });
}

function describe(folder: string, agentId: string): SubagentFile[] {
  if (!isAgentId(agentId)) return [];
  const path = agentPath(folder, agentId);
  const stat = statOf(path);
  if (stat?.isFile() !== true) return [];
  return [{ agentId, path, size: stat.size, mtimeMs: stat.mtimeMs, inode: stat.ino }];
}

function agentPath(folder: string, agentId: string): string {
  const at = agentId.lastIndexOf('/') + 1;
  return join(folder, agentId.slice(0, at), `agent-${agentId.slice(at)}.jsonl`);
}
