import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CommitFacts, GitCommits } from '../../ports/machine.ts';
import { blameFile } from './blame-file.ts';
import { type GitProgram, gitIn, isoOf } from './run-git.ts';

export function createGitCommits(program: GitProgram): GitCommits {
  return {
    async commit(directory, revision) {
      const git = gitIn(directory, program);
      const name = `${revision}^{commit}`;
      const hash = await git('rev-parse', '--verify', '--quiet', '--end-of-options', name);
      const object = hash ? await git('cat-file', 'commit', hash) : null;
      return object === null || !hash ? null : readCommit(hash, object);
    },
    async blame(path) {
      const folder = dirname(path);
      return isFolder(folder) ? blameFile(gitIn(folder, program), path) : null;
    },
  };
}

/** `git log` would run the signature programs configured in the repository. */
function readCommit(hash: string, object: string): CommitFacts {
  const [header = '', ...message] = object.split('\n\n');
  const seconds = Number(/^author .*> (\d+) /m.exec(header)?.[1] ?? 0);
  return { hash, subject: message.join('\n\n').split('\n')[0] ?? '', time: isoOf(seconds) };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
