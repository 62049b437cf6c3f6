import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { CreateRequest } from '../../../ports/agent/conversation.ts';
import type { AgentThreads } from '../../../ports/transcript-source.ts';
import { homeOf } from '../../files/home-of.ts';
import { type CodexProgram, withAppServer } from './app-server.ts';
import { forkThread } from './fork-thread.ts';
import { forkImported, importOnce } from './import-session.ts';

/** Seen in what Codex 0.169.0 imports. */
const OUTPUT_LENGTH = 4000;

interface Imports {
  /** The folder in a user's home from which Codex imports Claude Code's sessions. */
  folder: string;
  userHome: string;
  /** Writes a transcript that Codex imports. */
  write(path: string, request: CreateRequest): void;
}

/** Creates sessions with Codex's app server, in the home that contains the original. */
export function createCodexThreads(codex: CodexProgram, homes: string[], imports: Imports): AgentThreads {
  const folder = join(imports.userHome, imports.folder);
  const home = homes[0] ?? join(imports.userHome, '.codex');
  return {
    forkAt: (request) => {
      const { path } = request.transcript;
      const own = homeOf(homes, path) || dirname(path);
      return withAppServer(codex, own, (ask) => forkThread(ask, request));
    },
    imports: {
      outputLength: OUTPUT_LENGTH,
      whyNot({ path }) {
        if (codex.program === null) return 'codex is not on PATH';
        return path.startsWith(folder + sep) ? null : `its transcript is not in ${folder}`;
      },
      fork: (request) =>
        withAppServer(codex, home, (ask, hear) => forkImported({ ask, hear }, home, request)),
    },
    /**
     * Codex imports nothing but Claude Code's sessions, so it gets one, in a home that is deleted afterwards. Its record of imports keeps the
     * file's name, which says where the session came from.
     */
    async create(request) {
      const { conversation, originId, workingDirectory } = request;
      const userHome = mkdtempSync(join(tmpdir(), 'smart-fork-import-'));
      try {
        const path = join(userHome, imports.folder, 'imported', `${originId}.jsonl`);
        imports.write(path, request);
        const prompts = conversation.messages.flatMap(({ role, text }) => (role === 'user' ? text : []));
        const env = { ...codex.env, HOME: userHome, USERPROFILE: userHome };
        return await withAppServer({ ...codex, env }, home, (ask, hear) =>
          importOnce({ ask, hear }, home, { transcript: { path }, prompts, workingDirectory }),
        );
      } finally {
        rmSync(userHome, { recursive: true, force: true });
      }
    },
  };
}
