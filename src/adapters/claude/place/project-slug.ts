import { realpathSync } from 'node:fs';

const LONGEST_SLUG = 200;

/** The name of the folder in which Claude Code keeps the transcripts of a working directory. */
export function projectSlug(workingDirectory: string): string {
  const path = resolveLinks(workingDirectory).normalize('NFC');
  const slug = path.replace(/[^a-zA-Z0-9]/g, '-');
  return slug.length <= LONGEST_SLUG
    ? slug
    : `${slug.slice(0, LONGEST_SLUG)}-${Math.abs(hash(path)).toString(36)}`;
}

function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A folder that isn't here has no links to resolve.
    return path;
  }
}

/** A 32-bit rolling hash over UTF-16 units, as Claude Code computes it. */
function hash(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = ((sum << 5) - sum + text.charCodeAt(at)) | 0;
  return sum;
}
