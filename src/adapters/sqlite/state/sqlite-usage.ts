import { CONTEXT_TIERS, type RequestUsage, type SessionUsage } from '../../../domain/usage/usage.ts';
import type { CountedFile, UsageRecords } from '../../../ports/usage/usage-records.ts';
import type { Guard } from '../database/migrate.ts';
import { type Database, inTransaction, prepareWrite, type Row } from '../database/open-database.ts';
import { numberOf, textOf, textOrNull } from '../points/rows.ts';
import { isForgotten } from './is-forgotten.ts';

/** Token usage of requests, in tables of `state.db`. */
export function sqliteUsage(database: Database, guard: Guard): UsageRecords {
  return {
    countedFiles: () =>
      guard(() => {
        const files = database.prepare('SELECT * FROM counted_files').all().map(fileOf);
        return new Map(files.map((file) => [file.path, file]));
      }),
    addUsage: (file, requests) =>
      guard(() =>
        inTransaction(database, () => {
          if (isForgotten(database, file.sessionId)) return;
          const add = prepareWrite(database, ADD);
          for (const request of requests) add.run(...valuesOf(request, file.sessionId));
          const { path, sessionId, size, inode, position } = file;
          prepareWrite(database, 'INSERT OR REPLACE INTO counted_files VALUES (?, ?, ?, ?, ?, ?)').run(
            ...[path, sessionId, size, String(inode), position.offset, position.state],
          );
        }),
      ),
    usage: ({ since = 0, until = Number.MAX_SAFE_INTEGER, sessionId } = {}) =>
      guard(() => {
        const rows =
          sessionId === undefined
            ? database.prepare(sums('at BETWEEN ? AND ?')).all(since, until)
            : database.prepare(sums('session_id = ? AND at BETWEEN ? AND ?')).all(sessionId, since, until);
        return rows.map(usageOf);
      }),
    hours: ({ since = 0, until = Number.MAX_SAFE_INTEGER } = {}) =>
      guard(() =>
        database
          .prepare(HOURS)
          .all(since, until)
          .map((row) => ({
            sessionId: textOf(row, 'session_id'),
            weekday: numberOf(row, 'weekday'),
            hour: numberOf(row, 'hour'),
            requests: numberOf(row, 'requests'),
          })),
      ),
  };
}

/** A request's largest numbers are its final ones. It belongs to the session that made it or, failing that, to the first one read. */
const ADD = `
  INSERT INTO requests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    session_id = iif(copied > excluded.copied, excluded.session_id, session_id),
    at = iif(copied > excluded.copied, excluded.at, at),
    copied = min(copied, excluded.copied),
    input = max(input, excluded.input),
    output = max(output, excluded.output),
    cache_read = max(cache_read, excluded.cache_read),
    cache_write = max(cache_write, excluded.cache_write),
    cache_write_hour = max(cache_write_hour, excluded.cache_write_hour),
    partial = min(ifnull(partial, excluded.partial), excluded.partial)`;

const TIERS = CONTEXT_TIERS.map((tier) => `WHEN input + cache_read + cache_write > ${tier} THEN ${tier}`);

function sums(condition: string): string {
  return `
    SELECT session_id, date(at / 1000, 'unixepoch', 'localtime') AS day, model, CASE ${TIERS.join(' ')} ELSE 0 END AS above,
      count(*) AS requests, sum(input) AS input, sum(output) AS output, sum(cache_read) AS cache_read,
      sum(cache_write) AS cache_write, sum(cache_write_hour) AS cache_write_hour, total(partial) AS partial
    FROM requests WHERE ${condition} GROUP BY session_id, day, model, above`;
}

const HOURS = `
  SELECT session_id, (strftime('%w', at / 1000, 'unixepoch', 'localtime') + 6) % 7 AS weekday,
    CAST(strftime('%H', at / 1000, 'unixepoch', 'localtime') AS INTEGER) AS hour, count(*) AS requests
  FROM requests WHERE at BETWEEN ? AND ? GROUP BY session_id, weekday, hour`;

function valuesOf(request: RequestUsage, sessionId: string) {
  const { id, at, model, copied, input, output, cacheRead, cacheWrite, cacheWriteHour = 0 } = request;
  const tokens = [input, output, cacheRead, cacheWrite, cacheWriteHour];
  return [id, sessionId, at, model, Number(copied), ...tokens, Number(request.partial ?? false)];
}

function fileOf(row: Row): CountedFile {
  return {
    path: textOf(row, 'path'),
    sessionId: textOf(row, 'session_id'),
    size: numberOf(row, 'size'),
    inode: Number(textOf(row, 'inode')),
    position: { offset: numberOf(row, 'offset'), state: textOf(row, 'state') },
  };
}

function usageOf(row: Row): SessionUsage {
  return {
    sessionId: textOf(row, 'session_id'),
    date: textOf(row, 'day'),
    model: textOrNull(row.model),
    contextAbove: numberOf(row, 'above'),
    requests: numberOf(row, 'requests'),
    input: numberOf(row, 'input'),
    output: numberOf(row, 'output'),
    cacheRead: numberOf(row, 'cache_read'),
    cacheWrite: numberOf(row, 'cache_write'),
    cacheWriteHour: numberOf(row, 'cache_write_hour'),
    partial: numberOf(row, 'partial'),
  };
}
