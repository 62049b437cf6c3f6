import { join } from 'node:path';
import type { Lease } from '../../ports/lease.ts';

/** A named lease of this machine, for this process. The caller closes it. */
export async function openMachineLease(home: string, name: string): Promise<Lease> {
  const [{ openSqliteLease }, { hostname }] = await Promise.all([
    import('../../adapters/sqlite/state/sqlite-lease.ts'),
    import('node:os'),
  ]);
  const path = join(home, 'state.db');
  return openSqliteLease({ path, name, pid: process.pid, host: hostname(), now: Date.now });
}
