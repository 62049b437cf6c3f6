import { basename, dirname, join } from 'node:path';
import type { OnProblem, TranscriptFile } from '../../ports/transcript-source.ts';
import { readRegularFile, statOf } from '../files/look-at-path.ts';
import { listFolder } from '../jsonl/list-folder.ts';
import { asId } from '../jsonl/read-value.ts';
import { describeFile } from '../records/find-files.ts';
import { keepLargest } from '../records/keep-largest.ts';
import { withSubagents } from '../records/subagents.ts';

export type TaskAgent = 'cline' | 'roo';

const EXTENSIONS: Record<TaskAgent, string> = {
  cline: 'saoudrizwan.claude-dev',
  roo: 'rooveterinaryinc.roo-cline',
};

/** A home is an editor's `User` folder, Cline's own folder, or one that Roo Code's setting `customStoragePath` names. */
export function foldersIn(agent: TaskAgent, home: string): string[] {
  if (basename(home) === 'User') return [join(home, 'globalStorage', EXTENSIONS[agent], 'tasks')];
  return agent === 'roo'
    ? [join(home, 'tasks')]
    : [join(home, 'data', 'sessions'), join(home, 'data', 'tasks')];
}

export function findIn(agent: TaskAgent, home: string, onProblem?: OnProblem): TranscriptFile[] {
  const found = new Map<string, TranscriptFile>();
  for (const folder of foldersIn(agent, home))
    for (const { name } of listFolder(folder, onProblem)) {
      const path = join(folder, name, basename(folder) === 'tasks' ? SHOWN : `${name}.messages.json`);
      const file = inspectIn(agent, path);
      if (file !== null) keepLargest(found, file, onProblem);
      else if (statOf(path)?.isFile() === true) onProblem?.(path, 'its beginning names no session');
    }
  return [...found.values()];
}

const SHOWN = 'ui_messages.json';

export function inspectIn(agent: TaskAgent, path: string): TranscriptFile | null {
  const name = basename(path);
  const parent = basename(dirname(path));
  const [, copiedId, copiedFrom] = /^([\w-]{1,100})\.(cline|roo)-session\.json$/.exec(name) ?? [];
  const copied = copiedFrom === agent ? copiedId : undefined;
  const isOwn =
    name === SHOWN ? agentOf(path) === agent : agent === 'cline' && name === `${parent}.messages.json`;
  const sessionId = asId(copied ?? (isOwn ? parent : null));
  const file = sessionId === null ? null : describeFile(agent, path, sessionId);
  if (file === null || !BEGINNING.test(readRegularFile(path, HEAD_BYTES))) return null;
  const isAlone = name === SHOWN || copied !== undefined;
  return isAlone ? file : withSubagents(file, subagentsOf(path, file.sessionId, agent));
}

/** Only Roo Code writes a description beside a task. */
function agentOf(path: string): TaskAgent {
  const isRoo =
    path.includes(EXTENSIONS.roo) || statOf(join(dirname(path), 'history_item.json')) !== undefined;
  return isRoo ? 'roo' : 'cline';
}

const HEAD_BYTES = 4096;
/** Of a list of what is shown, or of a session's document. */
const BEGINNING =
  /^\s{0,10}(?:\[\s{0,20}(?:\]|\{\s{0,20}"(?:ts|type|say|ask|text)"\s?:)|\{\s{0,20}"version"\s?:)/;

/** `<session>/<agent>.messages.json` beside the session's own. */
function subagentsOf(path: string, sessionId: string, agent: TaskAgent): TranscriptFile[] {
  return listFolder(dirname(path)).flatMap(({ name }) => {
    const agentId = asId(/^([\w-]{1,100})\.messages\.json$/.exec(name)?.[1]);
    if (agentId === null || agentId === sessionId) return [];
    return describeFile(agent, join(dirname(path), name), agentId) ?? [];
  });
}
