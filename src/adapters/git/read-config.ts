/**
 * The URL of the remote origin, else of the first remote, in a repository's configuration. Read without regular expressions: the file
 * is not the user's own, and a line may be a megabyte long.
 */
export function readRemoteUrl(config: string): string | null {
  let first: string | null = null;
  let remote: string | null = null;
  for (const line of config.split('\n')) {
    let text = line.trim();
    if (text.startsWith('[')) {
      const header = readHeader(text);
      remote = header.remote;
      text = header.rest;
    }
    const url = remote === null ? null : readUrl(text);
    if (url === null) continue;
    if (remote === 'origin') return url;
    first ??= url;
  }
  return first;
}

/** The name in `[remote "name"]`, null in other headers; and what follows on the line, which may be a variable. */
function readHeader(text: string): { remote: string | null; rest: string } {
  const quote = text.indexOf('"');
  const end = text.indexOf(']');
  if (quote < 0 || (end >= 0 && end < quote)) return { remote: null, rest: '' };
  const isRemote = text.slice(1, quote).trim().toLowerCase() === 'remote';
  const name = isRemote ? readQuoted(text, quote) : null;
  if (name === null || text[name.end] !== ']') return { remote: null, rest: '' };
  return { remote: name.value, rest: text.slice(name.end + 1).trimStart() };
}

function readUrl(text: string): string | null {
  const at = text.indexOf('=');
  if (at < 0 || text.slice(0, at).trim().toLowerCase() !== 'url') return null;
  const value = text.slice(at + 1).trim();
  const url = readQuoted(value, 0)?.value ?? withoutComment(value);
  return url === '' || url.length > LONGEST_URL ? null : url;
}

/** The URL is stored with every passage of a session. */
const LONGEST_URL = 4096;

/** The quoted string at a position, and the position after it. Null if there is none, or it does not end. */
function readQuoted(text: string, start: number): { value: string; end: number } | null {
  if (text[start] !== '"') return null;
  let value = '';
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return { value, end: at + 1 };
    if (text[at] === '\\') at += 1;
    value += text[at] ?? '';
  }
  return null;
}

/** A comment begins at `#` or `;` after a space. */
function withoutComment(value: string): string {
  const at = value.search(/\s[#;]/);
  return at < 0 ? value : value.slice(0, at).trimEnd();
}
