import { totalOf } from '../../domain/usage/usage.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';
import { asCount, asNumber, asRecord, asText, isoTime } from '../jsonl/read-value.ts';
import type { DocumentFormat, SessionDocument } from '../records/document-format.ts';
import type { Row, SessionAbout } from '../records/row-format.ts';
import { databaseOf, findSessions, folderOf, inspectSession, subagentPath } from './find-sessions.ts';
import { aboutSession, loadSession, titleOf } from './load-session.ts';
import { COPY, comparableText } from './session-lines.ts';
import { tellRow, unknownIn } from './tell-row.ts';

/** OpenCode's sessions, in the SQLite database that it writes since 1.2, and in the files before. */
export const opencodeFormat: DocumentFormat = {
  agent: 'opencode',
  folders: (home) => [folderOf(home)],
  find: findSessions,
  inspect: inspectSession,
  load: loadSession,
  about: aboutSession,
  inDatabase: true,
  copyName: (sessionId) => `${sessionId}${COPY}`,
  restorePath: (home, sessionId) => `${databaseOf(home)}#${sessionId}`,
  comparableText,
  subagentPath,
  parentAmong,
  tell: tellRow,
  unknownIn,
  timestampOf: ({ time }) => isoTime(asRecord(time)?.created),
  usageOf,
  contextAfter(row) {
    const tokens = usageOf(row)?.tokens;
    return tokens && { tokens: totalOf(tokens), window: null };
  },
  commands: {
    resumeTarget: ({ sessionId }) => sessionId,
    resume: (sessionId) => ['opencode', '-s', sessionId],
    fork: (sessionId) => ['opencode', '-s', sessionId, '--fork'],
    ask: (sessionId, question) => ['opencode', 'run', '-s', sessionId, '--agent', 'plan', question],
    start: (prompt) => ['opencode', '--prompt', prompt],
    fileReference: (path) => `@${path}`,
  },
};

/**
 * A fork has no reference to its parent: its title says that it is one, and its copied messages keep the times at which the parent's
 * were written.
 */
function parentAmong({ about, rows }: SessionDocument, siblings: TranscriptFile[]): SessionAbout['parent'] {
  const base = FORK.exec(titleOf(about) ?? '')?.[1];
  const began = isoTime(asNumber(rows[0]?.sessionCreated));
  if (base === undefined || began === null || about.fingerprint === null) return null;
  for (const sibling of siblings) {
    if (sibling.agent !== 'opencode' || sibling.sessionId === about.sessionId) continue;
    if (!isNamed(sibling.name, base)) continue;
    const other = loadSession(sibling.path);
    const otherBegan = isoTime(asNumber(other.rows[0]?.sessionCreated));
    if (other.about.fingerprint === about.fingerprint && otherBegan !== null && otherBegan < began)
      return { id: sibling.sessionId, since: began };
  }
  return null;
}

const FORK = /^(.*) \(fork #\d{1,6}\)$/s;

function isNamed(name: string | undefined, base: string): boolean {
  return name === base || FORK.exec(name ?? '')?.[1] === base;
}

function usageOf(row: Row) {
  const usage = row.role === 'assistant' ? asRecord(row.tokens) : null;
  if (usage === null) return null;
  const cache = asRecord(usage.cache);
  const tokens = {
    input: asCount(usage.input),
    output: asCount(usage.output) + asCount(usage.reasoning),
    cacheRead: asCount(cache?.read),
    cacheWrite: asCount(cache?.write),
  };
  const created = isoTime(asRecord(row.time)?.created);
  // A fork's messages have new ids.
  return { id: `${created}:${Object.values(tokens).join(':')}`, model: asText(row.modelID), tokens };
}
