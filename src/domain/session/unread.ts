import { plural } from '../text/time-text.ts';
import type { SessionDraft } from './draft.ts';

/** Why a line of a transcript is not read. */
export type LineReason = 'not JSON' | 'not an object' | 'no such shape' | 'unknown kind';

/** Why a file of an agent is not read. */
export type FileReason =
  | 'unreadable'
  | 'copy'
  | 'without session'
  | 'old format'
  | 'without messages'
  | 'only repeats';

export type UnreadReason = LineReason | FileReason;

/** Why there is no session of a transcript that was read; null if there is one. A fork has one as soon as the conversation goes on. */
export function whyNoSession(draft: SessionDraft): FileReason | null {
  const { userMessages, assistantMessages, toolCalls, ownMessages = 0, inheritedMessages } = draft;
  if (userMessages + assistantMessages + toolCalls + ownMessages > 0) return null;
  return inheritedMessages > 0 ? 'only repeats' : 'without messages';
}

/** What was not read of one file. */
export interface UnreadFile {
  path: string;
  reason: UnreadReason;
  /** Lines, or 1 for the whole file. */
  count: number;
}

/** What was not read, for one reason. */
export interface Unread {
  reason: UnreadReason;
  /** Lines, or files that are not read at all. */
  count: number;
  /** Number of files. */
  file_count: number;
  /** The first of them. */
  files: string[];
  /** Without the files: `3 lines that are not JSON, in 2 files`. */
  summary: string;
  /** With them: `3 lines that are not JSON, in 2 files: /a.jsonl, /b.jsonl`. Without files where there is nothing to do. */
  text: string;
}

/** By reason, in the order of the reasons. */
export function sumUnread(files: UnreadFile[]): Unread[] {
  return UNREAD_REASONS.flatMap((reason) => {
    const those = files.filter((file) => file.reason === reason);
    if (those.length === 0) return [];
    const count = those.reduce((sum, one) => sum + one.count, 0);
    const paths = [...new Set(those.map(({ path }) => path))].sort();
    const [file_count, first] = [paths.length, paths.slice(0, MAX_FILES)];
    const known = { reason, count, file_count, files: first, summary: summaryOf(reason, count, file_count) };
    return [{ ...known, text: NOTHING_TO_DO.includes(reason) ? known.summary : unreadWithFiles(known) }];
  });
}

function summaryOf(reason: UnreadReason, count: number, files: number): string {
  const [one, many] = WORDS[reason];
  const where = one.startsWith('line') ? `, in ${plural(files, 'file')}` : '';
  return `${count} ${count === 1 ? one : many}${where}`;
}

/** With the files, also where there is nothing to do about them. */
export function unreadWithFiles({ summary, files, file_count }: Omit<Unread, 'text'>): string {
  const more = file_count > files.length ? ` and ${file_count - files.length} more` : '';
  return `${summary}: ${files.join(', ')}${more}`;
}

/** Only counted, because nothing is lost. */
const NOTHING_TO_DO: UnreadReason[] = ['copy', 'without messages', 'only repeats'];

const MAX_FILES = 3;

const WORDS: Record<UnreadReason, [one: string, many: string]> = {
  'not JSON': ['line that is not JSON', 'lines that are not JSON'],
  'not an object': ['line that is not an object', 'lines that are not objects'],
  'no such shape': ['line without the fields of its kind', 'lines without the fields of their kind'],
  'unknown kind': ['line of an unknown kind that holds text', 'lines of unknown kinds that hold text'],
  unreadable: ['file that cannot be read', 'files that cannot be read'],
  copy: ['copy of a transcript that is read', 'copies of transcripts that are read'],
  'without session': [
    'subagent whose session has no transcript here',
    'subagents whose session has no transcript here',
  ],
  'old format': [
    'transcript in a format from before JSON lines',
    'transcripts in a format from before JSON lines',
  ],
  'without messages': ['transcript without messages', 'transcripts without messages'],
  'only repeats': ['fork that only repeats its parent so far', 'forks that only repeat their parents so far'],
};

/** Every reason there is. */
export const UNREAD_REASONS = Object.keys(WORDS) as UnreadReason[];
