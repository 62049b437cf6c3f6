import type { SessionFilter } from '../../../domain/search/search.ts';
import { commitStart } from '../../../domain/session/commit-hash.ts';
import { isoTime } from '../../../domain/text/time-text.ts';
import { SESSION_JSON } from './rows.ts';

/** A condition on the table `sessions` (called `s`) and its parameters. */
export interface Condition {
  sql: string;
  params: (string | number)[];
}

/** A filter's SQL; null if it matches every session. */
export function sessionCondition(filter: SessionFilter): Condition | null {
  const all: Condition[] = [];
  const add = (sql: string, ...params: string[]) => all.push({ sql, params });
  if (filter.repo) addAny(all, filter.repo);
  if (filter.agent) add('s.agent = ?', filter.agent);
  if (filter.machine) add('s.machine = ?', filter.machine);
  if (filter.branch) add('s.branch = ?', filter.branch);
  if (filter.since) add('s.ended_at >= ?', isoTime(filter.since));
  if (filter.until) add('s.started_at <= ?', isoTime(filter.until));
  if (filter.asOf) add('s.started_at <= ?', isoTime(filter.asOf));
  for (const tag of [filter.tag ?? [], filter.marks ?? []].flat()) addTag(all, tag);
  if (filter.marker) add(inList('markers', 'value = ?'), filter.marker);
  if (filter.lang) add(inList('languages', 'value = ?'), filter.lang);
  if (filter.hasCode) add(inList('languages', '1'));
  if (filter.file) addFile(all, filter.file);
  if (filter.commit) addCommit(all, commitStart(filter.commit));
  if (filter.sessionIds) addIds(all, 'IN', filter.sessionIds);
  if (filter.excludeSessionIds) addIds(all, 'NOT IN', filter.excludeSessionIds);
  if (all.length === 0) return null;
  return { sql: all.map(({ sql }) => `(${sql})`).join(' AND '), params: all.flatMap(({ params }) => params) };
}

function addAny(all: Condition[], repo: NonNullable<SessionFilter['repo']>): void {
  const known = Object.entries(repo).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const columns = known.map(([column]) => `s.${column} = ? COLLATE NOCASE`).join(' OR ');
  all.push({ sql: columns === '' ? '0' : columns, params: known.map(([, value]) => value) });
}

/** Every search asks for notes, and few sessions have one, so the text is searched before it is parsed. */
function addTag(all: Condition[], tag: string): void {
  const sql = `instr(s.payload, ?) > 0 AND ${inList('tags', 'value = ?')}`;
  all.push({ sql, params: [JSON.stringify(tag), tag] });
}

/** Matches whole path components at the end of a path; `\` and `/` are equal. */
function addFile(all: Condition[], file: string): void {
  const path = file.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
  const value = `replace(value, '\\', '/')`;
  const sql = inList('files_touched', `${value} = ? OR substr(${value}, -length(?)) = ?`);
  all.push({ sql, params: [path, `/${path}`, `/${path}`] });
}

/** Its hash, or one from before it was amended or rebased. */
function addCommit(all: Condition[], start: string): void {
  const earlier = `EXISTS (SELECT 1 FROM json_each(one.value, '$.earlier') AS old WHERE substr(old.value, 1, 7) = ?)`;
  const sql = `EXISTS (SELECT 1 FROM json_each(${SESSION_JSON}, '$.commits') AS one WHERE substr(one.value ->> '$.hash', 1, 7) = ? OR ${earlier})`;
  all.push({ sql, params: [start, start] });
}

function inList(field: string, condition: string): string {
  return `EXISTS (SELECT 1 FROM json_each(${SESSION_JSON}, '$.${field}') WHERE ${condition})`;
}

function addIds(all: Condition[], operator: 'IN' | 'NOT IN', ids: string[]): void {
  all.push({
    sql: `s.session_id ${operator} (SELECT value FROM json_each(?))`,
    params: [JSON.stringify(ids)],
  });
}
