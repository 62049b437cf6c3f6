import { createGitCommits } from '../adapters/git/git-commits.ts';
import { type Environment, environmentForTools } from '../config/environment.ts';
import type { GitCommits } from '../ports/machine.ts';
import { pathOfProgram } from './programs.ts';

/** Reads commits with the user's git. */
export function createGitReader(env: Environment): GitCommits {
  return createGitCommits({
    program: pathOfProgram('git', env),
    env: environmentForTools(env),
  });
}
