import { asRecord, asText } from '../jsonl/read-value.ts';

/** The path in a URI, which VS Code writes as text or as parts; null if it does not address a file. Files of a remote machine have their path there. */
export function pathOfUri(uri: unknown): string | null {
  const parts = asRecord(uri);
  if (parts !== null) return FILES.test(`${asText(parts.scheme) ?? ''}:`) ? asPath(asText(parts.path)) : null;
  const text = asText(uri);
  const found = text === null ? null : /^(file|vscode-remote):\/\/[^/?#]{0,300}(\/[^?#]{0,4096})/.exec(text);
  return found === null ? null : asPath(decoded(found[2] ?? ''));
}

const FILES = /^(?:file|vscode-remote):$/;

/** `/c:/Users` is `c:\Users`. */
function asPath(path: string | null): string | null {
  if (path === null || path === '') return null;
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1).replaceAll('/', '\\') : path;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path).toWellFormed();
  } catch {
    // A percent sign of its own.
    return path;
  }
}
