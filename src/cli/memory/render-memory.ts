import type { FollowedTimeline } from '../../app/memory/follow-query.ts';
import type { OpenIdeas } from '../../app/memory/list-open.ts';
import type {
  MemoryStats,
  SessionIdeas,
  SessionTopics,
  TopicAcross,
  TopicView,
} from '../../domain/memory/memory-result.ts';
import { partNotices } from '../../domain/outage.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { count, plural, timeAgo } from '../../domain/text/time-text.ts';
import { understoodLines } from '../search/render-search.ts';
import { shortId } from '../shared/labels.ts';
import { noticeLines } from '../shared/notices.ts';
import { flow } from '../terminal/flow.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { truncate, wrap } from '../terminal/width.ts';
import { commandLineOf, ideaLines, relationLines, sessionLines } from './idea-lines.ts';

const LONGEST_SUMMARY = 3;

export function renderTopics(sessions: SessionTopics[], look: Look, nowMs: number): string {
  const ink = createInk(look);
  const blocks = sessions.map(({ session, topics }) =>
    [
      ...sessionLines(session, null, ink, nowMs),
      ...(topics.length === 0
        ? [ink.style.dim('no topics')]
        : topics.flatMap((topic) =>
            topicLines(
              topic,
              topics.find(({ index }) => index === topic.parent),
              ink,
            ),
          )),
    ].join('\n'),
  );
  return blocks.length === 0 ? 'No matching sessions.' : blocks.join('\n\n');
}

function topicLines(topic: TopicView, parent: TopicView | undefined, ink: Ink): string[] {
  const { style, symbols, columns } = ink;
  const indent = ' '.repeat(Math.min(8, 2 * (topic.depth + 1)));
  const room = Math.min(columns, 100) - indent.length;
  const turns =
    topic.first_turn === topic.last_turn
      ? `turn ${topic.first_turn + 1}`
      : `turns ${topic.first_turn + 1}${symbols.dash}${topic.last_turn + 1}`;
  const facts = [
    turns,
    ...Object.entries(topic.ideas).map(([kind, n]) => plural(n, kind)),
    ...(topic.open > 0 ? [`${topic.open} open`] : []),
    ...(topic.commits.length > 0 ? [plural(topic.commits.length, 'commit')] : []),
  ];
  const isFirstPart = topic.name === parent?.name;
  const summary = sanitizeLine(newIn(topic, isFirstPart ? parent.summary : ''));
  const lines = summary === '' ? [] : wrap(summary, room);
  return [
    ...(isFirstPart ? [] : [truncate(sanitizeLine(topic.name), room, symbols.ellipsis)]),
    ...flow(
      facts.map((text) => ({ text })),
      { text: symbols.separator },
      room,
      symbols.ellipsis,
    ).map(style.dim),
    ...lines
      .slice(0, LONGEST_SUMMARY)
      .map((line, at) =>
        at === LONGEST_SUMMARY - 1 && lines.length > LONGEST_SUMMARY
          ? truncate(`${line} ${symbols.ellipsis}`, room, symbols.ellipsis)
          : line,
      ),
  ].map((line) => indent + line);
}

/** A topic's summary without the prompt that the name of the topic, or the summary above, repeats. */
function newIn({ name, summary }: TopicView, above: string): string {
  if (summary.startsWith(name)) return summary.slice(name.length).replace(/^\W+/, '');
  const [prompt = ''] = summary.split(' · ', 1);
  const isPrinted = prompt.startsWith(name.replace(/…$/, '')) || above.startsWith(prompt);
  return isPrinted ? summary.slice(prompt.length + 3) : summary;
}

const MOST_SESSIONS = 4;

/** Topics of several sessions: where each stands, what is open, and in which sessions it was. */
export function renderTopicsAcross(
  { topics, left, repository }: { topics: TopicAcross[]; left: number } & InRepository,
  look: Look,
  nowMs: number,
): string {
  const ink = createInk(look);
  const { style, symbols, columns } = ink;
  if (topics.length === 0) return `No topics${placeText(repository)}.`;
  const blocks = topics.map(({ name, repo_name, ended_at, sessions, newest, open }) =>
    [
      style.strong(truncate(sanitizeLine(name), columns, symbols.ellipsis)),
      style.dim(
        `${sanitizeLine(repo_name)}${symbols.separator}${timeAgo(ended_at, nowMs)}${symbols.separator}${plural(sessions.length, 'session')}`,
      ),
      ...(newest === null ? [] : ideaLines(newest, ink)),
      ...open.flatMap((idea) => ideaLines(idea, ink)),
      ...sessions.slice(0, MOST_SESSIONS).map((one) => {
        const { session_id, title, last_turn } = one;
        const line = `${shortId(session_id)} ${sanitizeLine(title)}, turn ${last_turn + 1}`;
        return style.dim(truncate(`  ${symbols.arrow} ${line}`, columns, symbols.ellipsis));
      }),
      ...(sessions.length > MOST_SESSIONS ? [style.dim(`  ${sessions.length - MOST_SESSIONS} more`)] : []),
      ...sessions.slice(0, 1).map(({ fork_command }) => commandLineOf(fork_command, ink)),
    ].join('\n'),
  );
  const more = left === 0 ? [] : [style.dim(`${plural(left, 'older topic')} not shown: raise --limit`)];
  return [...hereLines(repository, ink).slice(0, 1), ...blocks, ...more].join('\n\n');
}

export function renderTimeline(
  { sessions, left, entities, repository, understood, notices }: FollowedTimeline & InRepository,
  query: string | null,
  look: Look,
  nowMs: number,
): string {
  const ink = createInk(look);
  const about =
    entities.length === 0 ? [] : [ink.style.accent(`about ${entities.map(sanitizeLine).join(', ')}`), ''];
  const older =
    left === 0 ? [] : [ink.style.dim(`${plural(left, 'older finding')} not shown: raise --limit`), ''];
  const restriction = [
    ...understoodLines({ understood }, ink),
    ...noticeLines(partNotices(notices).others, ink),
  ];
  const said = restriction.length === 0 ? [] : [...restriction, ''];
  if (sessions.length === 0) {
    const about =
      query === null ? '' : ` about "${truncate(sanitizeLine(query), ink.columns, ink.symbols.ellipsis)}"`;
    const text = `No decision, finding or solution${about}${placeText(repository)}.`;
    return [...said, ...wrap(text, ink.columns)].join('\n');
  }
  return [
    ...said,
    ...hereLines(repository, ink),
    ...about,
    ...older,
    ...ideaBlocks(sessions, ink, nowMs),
  ].join('\n');
}

export function renderOpen(
  { sessions, left, repository }: OpenIdeas & InRepository,
  look: Look,
  nowMs: number,
): string {
  const ink = createInk(look);
  if (sessions.length === 0) return `Nothing is open${placeText(repository)}.`;
  const more = left === 0 ? [] : ['', ink.style.dim(`${count(left)} more: raise --limit`)];
  return [...hereLines(repository, ink), ...ideaBlocks(sessions, ink, nowMs), ...more].join('\n');
}

interface InRepository {
  /** Chosen because no repository was given. */
  repository: string | null;
}

function hereLines(repository: string | null, { style }: Ink): string[] {
  return repository === null
    ? []
    : [style.dim(`only ${sanitizeLine(repository)}; --everywhere shows all`), ''];
}

function placeText(repository: string | null): string {
  return repository === null
    ? ''
    : ` in ${sanitizeLine(repository)} (--everywhere looks in all repositories)`;
}

function ideaBlocks(sessions: SessionIdeas[], ink: Ink, nowMs: number): string[] {
  return sessions.flatMap(({ session, ideas }, at) => [
    ...(at === 0 ? [] : ['']),
    ...sessionLines(session, null, ink, nowMs),
    ...ideas.flatMap((idea) => [
      ...ideaLines(idea, ink, { gone: isReplaced(idea) }),
      ...relationLines(
        idea.relations.filter(({ kind }) => kind !== 'relates_to'),
        session.session_id,
        ink,
      ),
    ]),
    ...lastCommand(ideas, ink),
  ]);
}

function isReplaced({ relations }: SessionIdeas['ideas'][number]): boolean {
  return relations.some(({ kind, reversed }) => kind === 'supersedes' && reversed);
}

/** One command per session; each idea shows its turn. */
function lastCommand(ideas: SessionIdeas['ideas'], ink: Ink): string[] {
  const last = ideas.at(-1);
  return last === undefined ? [] : [commandLineOf(last.fork_command, ink)];
}

/** An entity in words: `concept:pgbouncer` is "pgbouncer", `error:keyerror` is "error keyerror". */
function entityName(entity: string, { ellipsis }: Ink['symbols']): string {
  const [, type = '', name = entity] = /^([a-z-]+):(.+)$/.exec(entity) ?? [];
  const words = NAMED_ALONE.includes(type) ? name : `${type.replace('-', ' ')} ${name}`.trim();
  return truncate(words, LONGEST_ENTITY, ellipsis);
}

/** Types that a name shows by itself. */
const NAMED_ALONE = ['concept', 'technology', 'url', 'file'];
const LONGEST_ENTITY = 40;

export function renderMemoryStats(stats: MemoryStats, look: Look): string {
  const ink = createInk(look);
  const list = (rows: MemoryStats['by_kind']) =>
    rows.map(({ value, count: n }) => `${sanitizeLine(value)} ${count(n)}`).join(', ') || 'none';
  const rows = [
    ['Sessions', count(stats.sessions)],
    ['Findings', `${count(stats.ideas)}, ${count(stats.open)} open`],
    ['Topics', count(stats.topics)],
    ['Kinds', list(stats.by_kind)],
    [
      'About',
      list(stats.by_entity.map(({ value, count }) => ({ value: entityName(value, ink.symbols), count }))),
    ],
    ...(stats.waiting > 0 ? [['Not embedded', count(stats.waiting)]] : []),
  ];
  const width = 14;
  return rows
    .flatMap(([label = '', text = '']) =>
      wrap(text, Math.max(20, Math.min(ink.columns, 100) - width)).map(
        (line, at) => (at === 0 ? label : '').padEnd(width) + line,
      ),
    )
    .join('\n');
}
