import type { Tool } from '../tool.ts';
import { askSession } from './ask-session.ts';
import { findLost } from './find-lost.ts';
import { forkDetect } from './fork-detect.ts';
import { getSession } from './get-session.ts';
import { getSessionContext } from './get-session-context.ts';
import { indexSession } from './index-session.ts';
import { listSessions } from './list-sessions.ts';
import { listOpen } from './memory/list-open.ts';
import { listTopics } from './memory/list-topics.ts';
import { recall } from './memory/recall.ts';
import { remember } from './memory/remember.ts';
import { timeline } from './memory/timeline.ts';
import { sessionStats } from './session-stats.ts';
import { tagSession } from './tag-session.ts';

export const TOOLS: readonly Tool[] = [
  forkDetect,
  getSessionContext,
  getSession,
  listSessions,
  indexSession,
  sessionStats,
  tagSession,
  findLost,
  recall,
  remember,
  listTopics,
  listOpen,
  timeline,
];

/** Tools that a setting turns on. */
export const OPTIONAL_TOOLS: readonly { tool: Tool; setting: 'fork.ask_tool' }[] = [
  { tool: askSession, setting: 'fork.ask_tool' },
];
