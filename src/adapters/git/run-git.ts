import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface GitProgram {
  /** Null if git is not installed. */
  program: string | null;
  env: Record<string, string | undefined>;
}

/** Resolves to git's output without trailing white space; null if git failed. */
export type Git = (...args: string[]) => Promise<string | null>;

const TIMEOUT_MS = 5000;
const MAX_OUTPUT = 16 * 1024 * 1024;

/**
 * Runs git in an untrusted folder: a cloned repository's configuration names programs, and missing objects make git fetch them. Use it
 * only for commands that read objects, references and the index: `status`, `diff`, `add` and `hash-object` run the filters in the
 * configuration.
 */
export function gitIn(directory: string, { program, env }: GitProgram): Git {
  const run = promisify(execFile);
  const options = {
    cwd: directory,
    env: gitEnvironment(env),
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT,
    windowsHide: true,
  };
  return async (...args) => {
    if (program === null) return null;
    try {
      const { stdout } = await run(program, [...PRECAUTIONS, ...args], options);
      return stdout.trimEnd();
    } catch {
      // No git, no repository or no such commit, so there is nothing to report.
      return null;
    }
  };
}

const SETTINGS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.quotePath=false',
  'core.sshCommand=false',
  'core.askPass=',
  'credential.helper=',
  'protocol.allow=never',
  // Anyone can commit a folder that looks like a bare repository.
  'safe.bareRepository=explicit',
];
const PRECAUTIONS = ['--no-pager', '--no-optional-locks', ...SETTINGS.flatMap((setting) => ['-c', setting])];

/** A time as git prints it, in seconds since 1970, as ISO 8601. */
export function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** Removes variables that point git to another repository or to programs. Prompts, fetches and writes are disabled. */
function gitEnvironment(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const own = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || KEPT.includes(name));
  return {
    ...Object.fromEntries(own),
    GIT_ALLOW_PROTOCOL: '',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** Variables that say where git is installed and which settings are the user's. */
const KEPT = ['GIT_EXEC_PATH', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];
