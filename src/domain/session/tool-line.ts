import { withoutPrivate } from '../text/redaction.ts';

const LONGEST_LINE = 200;
const LONGEST_ARGUMENT = 800;

/**
 * The line that represents a tool call in a conversation: `Edit src/a.ts`, `Bash: npm test`; at most 200 characters.
 * It is cut between words, because half a credential would not be recognized as a secret.
 */
export function toolLine(name: string, argument: string, style: 'path' | 'text'): string {
  const open = withoutPrivate(argument);
  const folded = onOneLine(open.slice(0, LONGEST_ARGUMENT));
  const tool = onOneLine(name) || 'tool';
  const line = folded === '' ? tool : style === 'path' ? `${tool} ${folded}` : `${tool}: ${folded}`;
  if (line.length <= LONGEST_LINE && open.length <= LONGEST_ARGUMENT) return line;
  const cut = line.slice(0, LONGEST_LINE - 1);
  return `${style === 'path' ? cut.replace(/[\ud800-\udbff]$/, '') : beforeLastWord(cut, line)}…`;
}

export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function beforeLastWord(cut: string, line: string): string {
  return line[cut.length] === ' ' ? cut : cut.slice(0, Math.max(0, cut.lastIndexOf(' ')));
}

/** Makes a path within the agent's working directory relative to it. */
export function relativePath(path: string, workingDirectory: string | null): string {
  if (workingDirectory === null || workingDirectory === '') return path;
  const base = workingDirectory.replace(/(?<![\\/])[\\/]+$/, '');
  const inside = path.startsWith(`${base}/`) || path.startsWith(`${base}\\`);
  return inside ? path.slice(base.length + 1) : path;
}

/** Commits reported by `git commit`: `[branch abc1234] subject`, then what changed. */
export function findCommits(output: string): { hash: string; subject: string }[] {
  const commits: { hash: string; subject: string }[] = [];
  // Most outputs report none: looking for a word takes a fraction of the time.
  if (!output.includes(' changed')) return commits;
  for (const match of output.matchAll(COMMIT)) {
    if (match[1] !== undefined && match[2] !== undefined)
      commits.push({ hash: match[1], subject: match[2].trim() });
  }
  return commits;
}

const COMMIT =
  /^\[[^\]\n]{1,200}? ([0-9a-f]{7,40})\] (.{1,300})\n(?:[^\n]{0,200}\n){0,2}? \d+ files? changed/gm;
