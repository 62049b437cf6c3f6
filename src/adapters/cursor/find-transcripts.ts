import { basename, dirname, join } from 'node:path';
import type { OnProblem, TranscriptFile } from '../../ports/transcript-source.ts';
import { readRegularFile } from '../files/look-at-path.ts';
import { listFolder } from '../jsonl/list-folder.ts';
import { asId, asRecord, parseJson } from '../jsonl/read-value.ts';
import { describeFile } from '../records/find-files.ts';
import { keepLargest } from '../records/keep-largest.ts';
import { withSubagents } from '../records/subagents.ts';

/**
 * `projects/<project>/agent-transcripts/<session>/<session>.jsonl`, with the subagents' in `subagents/` beside it, or, in earlier versions,
 * `<session>.jsonl` without a folder. A session that moved to another window is in two projects.
 */
export function findTranscripts(home: string, onProblem?: OnProblem): TranscriptFile[] {
  const found = new Map<string, TranscriptFile>();
  const projects = join(home, 'projects');
  for (const project of listFolder(projects, onProblem)) {
    const folder = join(projects, project.name, TRANSCRIPTS);
    for (const entry of listFolder(folder, onProblem)) {
      const path = join(folder, entry.name, ...(entry.isDirectory() ? [`${entry.name}.jsonl`] : []));
      if (path.endsWith('.txt'))
        onProblem?.(path, 'a transcript as plain text, by an early version', 'old format');
      const file = inspectTranscript(path);
      if (file !== null) keepLargest(found, file, onProblem);
      else if (path.endsWith('.jsonl') && describeFile('cursor', path, entry.name) !== null)
        onProblem?.(path, 'its beginning names no session');
    }
  }
  return [...found.values()];
}

const TRANSCRIPTS = 'agent-transcripts';

export function inspectTranscript(path: string): TranscriptFile | null {
  const sessionId = asId(/^([\w-]{1,100})(?:\.cursor)?\.jsonl$/.exec(basename(path))?.[1]);
  if (sessionId === null || !(path.includes(TRANSCRIPTS) || path.endsWith('.cursor.jsonl'))) return null;
  const file = describeFile('cursor', path, sessionId);
  if (file === null || (file.size > 0 && !beginsWithMessage(path))) return null;
  return withSubagents(file, subagentsOf(path, sessionId));
}

/** Claude Code's records have a role within `message`, too, but also a type. */
function beginsWithMessage(path: string): boolean {
  const head = readRegularFile(path, HEAD_BYTES);
  const first = head.slice(0, head.includes('\n') ? head.indexOf('\n') : head.length);
  const row = asRecord(parseJson(first));
  if (row !== null)
    return typeof row.role === 'string' && asRecord(row.message) !== null && row.type === undefined;
  return first.length > 0 && /^\{"role":"(?:user|assistant|system)","message":\{/.test(first);
}

const HEAD_BYTES = 64 * 1024;

function subagentsOf(path: string, sessionId: string): TranscriptFile[] {
  if (basename(dirname(path)) !== sessionId) return [];
  const folder = join(dirname(path), 'subagents');
  return listFolder(folder)
    .flatMap((entry) => {
      const agentId = asId(/^([\w-]{1,100})\.jsonl$/.exec(entry.name)?.[1]);
      return agentId === null ? [] : (describeFile('cursor', join(folder, entry.name), agentId) ?? []);
    })
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
}
