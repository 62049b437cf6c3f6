const LONGEST_LINE = 200;

/** The line that stands for a tool call in a conversation: `Edit src/a.ts`, `Bash: npm test`; at most 200 characters. */
export function toolLine(name: string, argument: string, style: 'path' | 'text'): string {
  const folded = argument
    .slice(0, LONGEST_LINE * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const line = folded === '' ? name : style === 'path' ? `${name} ${folded}` : `${name}: ${folded}`;
  return line.length <= LONGEST_LINE
    ? line
    : `${line.slice(0, LONGEST_LINE - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A path relative to the folder the agent works in, where it lies within it. */
export function relativePath(path: string, workingDirectory: string | null): string {
  if (workingDirectory === null || workingDirectory === '') return path;
  const base = workingDirectory.replace(/[\\/]+$/, '');
  const inside = path.startsWith(`${base}/`) || path.startsWith(`${base}\\`);
  return inside ? path.slice(base.length + 1) : path;
}

/** Commits that `git commit` reports: `[branch abc1234] subject`, then what changed. */
export function findCommits(output: string): { hash: string; subject: string }[] {
  const commits: { hash: string; subject: string }[] = [];
  for (const match of output.matchAll(COMMIT)) {
    if (match[1] !== undefined && match[2] !== undefined)
      commits.push({ hash: match[1], subject: match[2].trim() });
  }
  return commits;
}

const COMMIT =
  /^\[[^\]\n]{1,200}? ([0-9a-f]{7,40})\] (.{1,300})\n(?:[^\n]{0,200}\n){0,2}? \d+ files? changed/gm;
