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
    async since(directory, time, most) {
      if (!isFolder(directory)) return [];
      const git = gitIn(directory, program);
      const range = [
        `--since=${time}`,
        `--max-count=${most}`,
        '--no-merges',
        '--exclude=refs/stash',
        '--all',
      ];
      const listed = await git('rev-list', ...range, '--format=%at %s');
      return [...(listed ?? '').matchAll(LISTED)]
        .map(([, hash = '', seconds, subject = '']) => ({ hash, subject, time: isoOf(Number(seconds)) }))
        .filter((commit) => commit.time > time);
    },
    async blame(path) {
      const folder = dirname(path);
      return isFolder(folder) ? blameFile(gitIn(folder, program), path) : null;
    },
  };
}

const LISTED = /^commit ([0-9a-f]{40,64})\n(\d{1,12}) (.*)$/gm;

/** `git log` would run the signature programs configured in the repository. */
function readCommit(hash: string, object: string): CommitFacts {
  const [header = '', ...message] = object.split('\n\n');
  const seconds = Number(/^author .*> (\d+) /m.exec(header)?.[1] ?? 0);
  return { hash, subject: message.join('\n\n').split('\n')[0] ?? '', time: isoOf(seconds) };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
