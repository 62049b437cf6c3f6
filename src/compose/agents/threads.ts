import { join } from 'node:path';
import { createTranscript } from '../../adapters/claude/files/create-transcript.ts';
import { createCodexThreads } from '../../adapters/codex/server/codex-threads.ts';
import { createOpencodeThreads } from '../../adapters/opencode/threads.ts';
import type { Threads } from '../../app/archive/put-transcript.ts';
import type { Config } from '../../config/config.ts';
import { type Environment, environmentForAgents, userHomeOf } from '../../config/environment.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { LEASE_MS, withLease } from '../../ports/lease.ts';
import { openMachineLease } from '../local/open-machine-lease.ts';
import { pathOfProgram } from '../programs.ts';

/** The agents whose own programs create sessions. */
export function composeThreads({ home, homes }: Config, env: Environment): Threads {
  const own = environmentForAgents(env);
  return {
    codex: createCodexThreads({ program: pathOfProgram('codex', env), env: own }, homes.codex, {
      folder: join('.claude', 'projects'),
      userHome: userHomeOf(env),
      write: createTranscript,
    }),
    opencode: createOpencodeThreads(
      { program: pathOfProgram('opencode', env), env: own },
      homes.opencode,
      (work) => restoreAlone(home, work),
    ),
  };
}

async function restoreAlone<T>(home: string, work: () => Promise<T>): Promise<T> {
  const lease = await openMachineLease(home, 'restore');
  try {
    const done = await withLease(lease, { waitMs: LEASE_MS }, async () => ({ result: await work() }));
    if (done !== null) return done.result;
    throw new SmartForkError('STORE_UNAVAILABLE', 'another process is restoring a session', {
      hint: 'Wait for it to finish, then run the command again.',
    });
  } finally {
    lease.close();
  }
}
