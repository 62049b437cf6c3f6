import { join } from 'node:path';
import { createTranscript } from '../../adapters/claude/files/create-transcript.ts';
import { createCodexThreads } from '../../adapters/codex/server/codex-threads.ts';
import { createOpencodeThreads } from '../../adapters/opencode/threads.ts';
import type { Threads } from '../../app/archive/put-transcript.ts';
import type { Config } from '../../config/config.ts';
import { type Environment, environmentForAgents, userHomeOf } from '../../config/environment.ts';
import { pathOfProgram } from '../programs.ts';

/** The agents whose own programs create sessions. */
export function composeThreads({ homes }: Config, env: Environment): Threads {
  const own = environmentForAgents(env);
  return {
    codex: createCodexThreads({ program: pathOfProgram('codex', env), env: own }, homes.codex, {
      folder: join('.claude', 'projects'),
      userHome: userHomeOf(env),
      write: createTranscript,
    }),
    opencode: createOpencodeThreads({ program: pathOfProgram('opencode', env), env: own }, homes.opencode),
  };
}
