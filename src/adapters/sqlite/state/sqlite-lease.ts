import { randomUUID } from 'node:crypto';
import { LEASE_MS, type Lease } from '../../../ports/lease.ts';
import { isProcessAlive } from '../../system/is-process-alive.ts';
import { openMigrated } from '../database/migrate.ts';
import { inTransaction, type Row } from '../database/open-database.ts';
import { STATE_SCHEMA } from '../database/schemas.ts';
import { numberOf, textOf } from '../points/rows.ts';

export interface LeaseOptions {
  /** Path of `state.db`. */
  path: string;
  name: string;
  pid: number;
  /** Processes on another host (a container that shares the folder) cannot be checked for being alive. */
  host: string;
  now: () => number;
}

/** A lease as a row in `state.db`. */
export function openSqliteLease({ path, name, pid, host, now }: LeaseOptions): Lease {
  const { database, guard } = openMigrated(path, STATE_SCHEMA);
  const token = randomUUID();
  const find = () => database.prepare('SELECT * FROM leases WHERE name = ?').get(name);
  return {
    acquire: () =>
      guard(() =>
        inTransaction(database, () => {
          const row = find();
          if (row !== undefined && row.token !== token && isHeld(row, host, now())) return false;
          database
            .prepare('INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?, ?)')
            .run(name, token, pid, host, now(), now());
          return true;
        }),
      ),
    renew: () =>
      guard(
        () =>
          database
            .prepare('UPDATE leases SET renewed_at = ? WHERE name = ? AND token = ?')
            .run(now(), name, token).changes > 0,
      ),
    release: () =>
      guard(() => {
        database.prepare('DELETE FROM leases WHERE name = ? AND token = ?').run(name, token);
      }),
    holder: () =>
      guard(() => {
        const row = find();
        if (row === undefined || !isHeld(row, host, now())) return null;
        return { pid: numberOf(row, 'pid'), host: textOf(row, 'host'), since: numberOf(row, 'since') };
      }),
    close: () => database.close(),
  };
}

/** A time in the future was written before the clock was set back, so it is ignored. */
function isHeld(row: Row, host: string, now: number): boolean {
  if (Math.abs(now - numberOf(row, 'renewed_at')) > LEASE_MS) return false;
  return textOf(row, 'host') !== host || isProcessAlive(numberOf(row, 'pid'));
}
