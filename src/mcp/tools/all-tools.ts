import type { Tool } from '../tool.ts';
import { findLost } from './find-lost.ts';
import { forkDetect } from './fork-detect.ts';
import { getSession } from './get-session.ts';
import { getSessionContext } from './get-session-context.ts';
import { indexSession } from './index-session.ts';
import { listSessions } from './list-sessions.ts';
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
];
