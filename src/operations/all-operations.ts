import { restore } from './archive/restore.ts';
import { ask } from './fork/ask.ts';
import { fork, preflight } from './fork/fork.ts';
import { forks } from './fork/forks.ts';
import { history } from './fork/history.ts';
import { embed } from './index/embed.ts';
import { index } from './index/index.ts';
import { note } from './marks/note.ts';
import { star } from './marks/star.ts';
import { suggestTags } from './marks/suggest-tags.ts';
import { tag } from './marks/tag.ts';
import { days } from './memory/days.ts';
import { ideas } from './memory/ideas.ts';
import { memoryStats } from './memory/memory-stats.ts';
import { openItems } from './memory/open-items.ts';
import { recall } from './memory/recall.ts';
import { timeline } from './memory/timeline.ts';
import { topics } from './memory/topics.ts';
import { forget } from './privacy/forget.ts';
import { compare } from './read/compare.ts';
import { context } from './read/context.ts';
import { editedFiles } from './read/edited-files.ts';
import { html } from './read/html.ts';
import { lost } from './read/lost.ts';
import { diff, files, outline, turns } from './read/reader.ts';
import { retrieve } from './read/retrieve.ts';
import { show } from './read/show.ts';
import { passages } from './search/passages.ts';
import { search } from './search/search.ts';
import { session } from './sessions/session.ts';
import { sessions } from './sessions/sessions.ts';
import { doctor } from './state/doctor.ts';
import { logins, logout } from './state/logins.ts';
import { settings } from './state/settings.ts';
import { stats } from './state/stats.ts';
import { status } from './state/status.ts';
import { usage } from './state/usage.ts';
import { blame } from './trace/blame.ts';
import { which } from './trace/which.ts';

/** Everything that smart-fork does, by the name of the library's method. */
export const OPERATIONS = {
  index,
  embed,
  search,
  passages,
  sessions,
  session,
  show,
  html,
  turns,
  outline,
  files,
  diff,
  editedFiles,
  retrieve,
  context,
  compare,
  lost,
  which,
  blame,
  recall,
  topics,
  timeline,
  open: openItems,
  ideas,
  days,
  memoryStats,
  fork,
  ask,
  preflight,
  forks,
  history,
  restore,
  tag,
  suggestTags,
  note,
  star,
  forget,
  stats,
  usage,
  status,
  doctor,
  settings,
  logins,
  logout,
};
