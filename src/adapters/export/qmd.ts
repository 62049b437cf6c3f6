import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import { programCall } from '../../domain/machine/shell.ts';
import type { MarkdownSearch } from '../../ports/machine.ts';
import { findProgram, type ProgramSearch } from '../system/find-program.ts';

/** An update reads every file in every collection. */
const TIMEOUT_MS = 10 * 60_000;
/** qmd itself stops after 30 minutes. */
const EMBEDDING_MS = 35 * 60_000;

/** @throws SmartForkError USAGE if qmd is not installed. */
export function findQmd(search: ProgramSearch, env: NodeJS.ProcessEnv): MarkdownSearch {
  const program = findProgram('qmd', search);
  if (program === null) {
    throw new SmartForkError('USAGE', 'qmd is not installed', {
      hint: 'Install it (npm install -g @tobilu/qmd), or export without --qmd.',
    });
  }
  const run = createRunner(program, env);
  return {
    async register(folders) {
      for (const { name, path } of folders.filter((one) => existsSync(one.path))) {
        const there = await collectionPath(run, name);
        if (there === null) await run(['collection', 'add', path, '--name', name]);
        else if (resolve(there) !== resolve(path)) throw isElsewhere(name, there);
      }
      await run(['update']);
    },
    async embed(names, signal) {
      for (const name of names) {
        if ((await collectionPath(run, name)) === null) continue;
        try {
          await run(['embed', '-c', name], { timeout: EMBEDDING_MS, signal });
        } catch (error) {
          return signal.aborted ? 'stopped' : errorText(error);
        }
      }
      return null;
    },
  };
}

type Run = (words: string[], limits?: { timeout: number; signal?: AbortSignal }) => Promise<string>;

function createRunner(path: string, env: NodeJS.ProcessEnv): Run {
  return async (words, limits = { timeout: TIMEOUT_MS }) => {
    try {
      const call = programCall(path, words);
      const options = { ...limits, env, windowsHide: true, shell: call.shell, maxBuffer: 16 * 1024 * 1024 };
      return (await promisify(execFile)(call.program, call.words, options)).stdout;
    } catch (error) {
      throw new SmartForkError('STORE_UNAVAILABLE', `qmd ${words.join(' ')} failed: ${errorText(error)}`, {
        hint: 'The export is complete. Run the command yourself to see why qmd failed.',
        cause: error,
      });
    }
  };
}

/** A collection's folder; null if there is no such collection. */
async function collectionPath(run: Run, name: string): Promise<string | null> {
  try {
    return /^[ \t]*Path:[ \t]*(\S.*)$/m.exec(await run(['collection', 'show', name]))?.[1]?.trim() ?? null;
  } catch (error) {
    if (/Unknown subcommand/.test(errorText(error))) throw isTooOld();
    // qmd fails if there is no such collection. If something else is wrong, adding the collection fails too and reports it.
    return null;
  }
}

/** npm installs such a version if Node is older than qmd needs. */
function isTooOld(): SmartForkError {
  return new SmartForkError('USAGE', 'this qmd is too old: it has no command "collection show"', {
    hint: 'Install qmd 2 with Node 22 or later: npm install -g @tobilu/qmd@latest',
  });
}

function isElsewhere(name: string, path: string): SmartForkError {
  return new SmartForkError('USAGE', `qmd's collection ${name} is the folder ${path}`, {
    hint: `Export to that folder (--to), or remove the collection: qmd collection remove ${name}`,
  });
}
