import type { Route } from '../route.ts';
import { getForks, getPreflight, listForks, postFork, postLaunch } from './fork-routes.ts';
import { postSessionsIndex } from './index-routes.ts';
import { getDays, getIdeas, getRecall, getTopics } from './memory-routes.ts';
import {
  getContext,
  getDiff,
  getEditedFiles,
  getFiles,
  getHtml,
  getOutline,
  getTurns,
} from './reader-routes.ts';
import { postChunksSearch, searchByAddress, searchByBody } from './search-routes.ts';
import { getNamedSession, getSession, listSessions, setNote, setStar, setTags } from './session-routes.ts';
import {
  getDoctor,
  getHealth,
  getLogins,
  getNamedStats,
  getSettings,
  getStats,
  getStatus,
  getUsage,
  postLogout,
} from './state-routes.ts';

export const ROUTES: readonly Route[] = [
  searchByAddress,
  searchByBody,
  listSessions,
  getSession,
  setTags,
  setNote,
  setStar,
  getTurns,
  getOutline,
  getHtml,
  getContext,
  getFiles,
  getEditedFiles,
  getDiff,
  getForks,
  listForks,
  getPreflight,
  postFork,
  postLaunch,
  getIdeas,
  getRecall,
  getTopics,
  getDays,
  getStats,
  getUsage,
  getStatus,
  getDoctor,
  getHealth,
  getSettings,
  getLogins,
  postLogout,
  postChunksSearch,
  postSessionsIndex,
  getNamedSession,
  getNamedStats,
];
