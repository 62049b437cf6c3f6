import { type ForkLinks, readForkLinks } from '../../app/fork/fork-tree.ts';
import { openInSession } from '../../app/memory/list-open.ts';
import { describeSession, type SessionDescription } from '../../app/read/describe-session.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { getSession } from '../../app/sessions/get-session.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { SearchResult } from '../../domain/search-result.ts';
import { countSearch } from '../../operations/fork/fork.ts';
import type { CommandContext } from '../run-command.ts';
import { waitFor } from '../terminal/progress/spinner.ts';
import { type Finding, sessionFinder } from './find-sessions.ts';
import { type Asking, ask, choose } from './picker/ask-user.ts';
import type { Choice, PickerSource } from './picker/picker.ts';
import type { PickerState, Way } from './picker/picker-state.ts';
import type { Marks } from './picker/story-lines.ts';

export interface Chosen {
  session: SessionPayload;
  query: string | null;
  /** Rank in the results, from 1; null if the session was given by id. */
  rank: number | null;
  /** How to continue it; null: ask the user. */
  way: Way | null;
}

type Page = PickerState['page'];

/** As many as a screen can show, as are found while typing, and as a list can hold. */
const SHOWN = 20;
const MAX_TYPED = 50;
const MAX_SESSIONS = 200;
const SLOW =
  'Search is taking longer than expected (the first one loads the model; large stores take longer). Still searching';

const WHAT = 'What would you like to do?';
const REFINED = 'What would you like to search for or do differently?';

/** Lets the user search for a session and pick one. Null: cancelled; `fresh`: start without context. */
export async function chooseSession(
  context: CommandContext,
  asking: Asking,
  firstQuery: string,
  finding: Finding,
): Promise<Chosen | 'fresh' | null> {
  const open = sourceOpener(context, finding);
  let query: string | null = firstQuery === '' && asking.plain ? await ask(WHAT, asking) : firstQuery;
  let page: Page = query === '' ? 'list' : 'choices';
  while (query !== null) {
    const source = await open(query, page);
    if (page === 'choices' && source.results.length === 0) {
      const next = await afterNothing(query, asking);
      if (next === null || next === 'fresh') return next;
      if (next === 'browse') query = '';
      if (next === 'browse' || !asking.plain) page = 'list';
      else query = await ask(REFINED, asking);
      continue;
    }
    const { picked, query: searched } = await pickFrom(asking, source);
    if (picked.kind === 'cancel') return null;
    if (picked.kind === 'fresh') return 'fresh';
    if (picked.kind === 'session') {
      const { session_id, rank } = picked.result;
      const session = await findSession(await context.parts.store(), session_id);
      if (searched !== source.query && searched !== '') countSearch(context.parts, { rank });
      return { session, query: searched === '' ? null : searched, rank, way: picked.way };
    }
    query = await ask(REFINED, asking);
    page = 'choices';
  }
  return null;
}

/** Searches for what the picker shows first, and opens it to search on. */
function sourceOpener(context: CommandContext, finding: Finding) {
  const { parts, terminal } = context;
  const find = sessionFinder(context, finding);
  const describe = describer(context);
  const isSwitched = finding.filter.repo === undefined && parts.probe(process.cwd()) !== null;
  const scope = isSwitched ? 'everywhere' : null;
  return async (query: string, page: Page): Promise<PickerSource> => {
    const limit = query === '' ? MAX_SESSIONS : SHOWN;
    const found = find(query, scope, { limit, isTyped: false });
    const first = await waitFor(found, { terminal, text: 'Searching', slowText: SLOW });
    return {
      ...first,
      page,
      query,
      scope,
      nowMs: parts.machine.now(),
      describe,
      marks: (text) => marksOf(context, text),
      find: (text, wanted) => {
        const isTyped = text !== query;
        return find(text, wanted, { limit: isTyped && text !== '' ? MAX_TYPED : MAX_SESSIONS, isTyped });
      },
    };
  };
}

/** Reads sessions for the preview. The links between forks are read only once. */
function describer(context: CommandContext) {
  let links: Promise<ForkLinks> | null = null;
  return async (result: SearchResult, query: string): Promise<SessionDescription> => {
    const { parts, env } = context;
    const git = async () => (await import('../../compose/trace.ts')).createGitReader(env);
    const store = await parts.store();
    links ??= readForkLinks(store);
    const session = await findSession(store, result.session_id);
    const forks = (await links).forks.get(session.session_id) ?? [];
    const parent = session.parent === null ? null : await getSession(store, session.parent.session_id);
    const open = await openInSession({ store, git }, session.session_id);
    return describeSession({ ...parts, store }, session, query === '' ? null : query, {
      forks,
      parent,
      open,
    });
  };
}

function marksOf({ parts: { tokenizer } }: CommandContext, query: string): Marks {
  const words = tokenizer.words(query).filter(({ stop }) => !stop);
  const stems = new Set(words.map(({ stem }) => stem));
  return (text) =>
    stems.size === 0 ? [] : tokenizer.locate(text, stems).map(({ start, end }) => [start, end]);
}

/** The choices after a search without results, as in the requirements document. Null: cancelled. */
function afterNothing(query: string, asking: Asking): Promise<'fresh' | 'refine' | 'browse' | null> {
  asking.terminal.err(`No relevant sessions found for "${query}"\n`);
  return choose(
    'Would you like to:',
    [
      { name: 'Start a fresh session', value: 'fresh' },
      { name: 'Refine your search query', value: 'refine' },
      { name: 'Browse recent sessions', value: 'browse' },
    ],
    asking,
  );
}

async function pickFrom({ terminal, signal, plain }: Asking, source: PickerSource): Promise<Choice> {
  if (plain) {
    const { pickPlainly } = await import('./picker/plain-picker.ts');
    return { picked: await pickPlainly(source, terminal, signal), query: source.query };
  }
  const { pick } = await import('./picker/picker.ts');
  return pick(source, terminal, signal);
}
