import type * as z from 'zod';
import type {
  editedFiles,
  fileDiff,
  filesOfSessions,
  outline,
  sessionView,
  turnWindow,
} from '../../domain/json/conversation.ts';
import type { activeDays, ideaList, recalled, sessionTopics } from '../../domain/json/memory.ts';
import type { sessionList } from '../../domain/json/session.ts';
import type { doctor, settingsList, status } from '../../domain/json/state.ts';
import type { Facets, Notice, SearchResponse } from '../../domain/search-result.ts';
import type { SessionRecord } from '../../domain/session/session.ts';
import type { Marks } from '../../domain/tags/marks.ts';

/** The server's answers, as described in docs/json.md and the OpenAPI document. Turns are counted from 0 here. */

export type Count = Facets['repo'][number];

/** Maps ids to the short forms used on the command line. */
export type ShortIds = Record<string, string>;

export interface Names {
  short_ids: ShortIds;
  /** What sessions in `short_ids` are called. */
  titles: Record<string, string>;
}

export type SessionPage = z.infer<typeof sessionList> & Names;
export type SearchAnswer = SearchResponse & Names;
export type SessionView = z.infer<typeof sessionView> & Names & { session: Marks };

export type TurnWindow = z.infer<typeof turnWindow>;
export type Turn = TurnWindow['turns'][number];
export type Step = Turn['steps'][number];
export type ToolStep = Extract<Step, { kind: 'tool' }>;
export type OutlineTurn = z.infer<typeof outline>['turns'][number];

export type Check = z.infer<typeof doctor>['checks'][number];
export interface Preflight {
  ready: boolean;
  checks: Check[];
  command: string;
  way: 'native' | 'turn' | 'inject';
  directory: string | null;
  notes?: string[];
  /** Whether a terminal is configured in which to open the fork. */
  launches?: boolean;
}

export interface ForkTree {
  session_id: string;
  session: (SessionRecord & Marks) | null;
  succeeded: boolean | null;
  quality: number | null;
  forks: ForkTree[];
}

export type SessionFiles = z.infer<typeof editedFiles>;
export type FilesAnswer = z.infer<typeof filesOfSessions> & { notices?: Notice[] };
export type FileDiff = z.infer<typeof fileDiff>;

export type IdeaList = z.infer<typeof ideaList> & { short_ids: ShortIds };
export type Recalled = z.infer<typeof recalled> & { short_ids: ShortIds };
export type Idea = IdeaList['ideas'][number];
export type TopicList = z.infer<typeof sessionTopics>;
export type Topic = TopicList['topics'][number];
export type DaysAnswer = z.infer<typeof activeDays> & Names;
export type ActiveDay = DaysAnswer['days'][number];

export type StatusReport = z.infer<typeof status>;
export type Setting = z.infer<typeof settingsList>['settings'][number];
export interface IndexProgress {
  state: string;
  jobs: number;
  sessions: number;
  waiting: StatusReport['waiting'];
}
