import { dirname, sep } from 'node:path';
import type { AgentThreads } from '../../../ports/transcript-source.ts';
import { type CodexProgram, withAppServer } from './app-server.ts';
import { forkThread } from './fork-thread.ts';
import { forkImported } from './import-session.ts';

/**
 * Creates sessions with Codex's app server, in the home that contains the original.
 * @param imports the folder from which Codex imports Claude Code's sessions
 */
export function createCodexThreads(codex: CodexProgram, homes: string[], imports: string): AgentThreads {
  return {
    forkAt: (request) => {
      const { path } = request.transcript;
      const home = homes.find((one) => path.startsWith(one + sep)) ?? homes[0] ?? dirname(path);
      return withAppServer(codex, home, (ask) => forkThread(ask, request));
    },
    whyNotImport({ path }) {
      if (codex.program === null) return 'codex is not on PATH';
      return path.startsWith(imports + sep) ? null : `its transcript is not in ${imports}`;
    },
    forkImported(request) {
      const home = homes[0] ?? dirname(imports);
      return withAppServer(codex, home, (ask, hear) => forkImported({ ask, hear }, home, request));
    },
  };
}
