/** Whether what Markdown takes for emphasis is meant so: patterns of files (`*.test.*`) and names (`__init__`) are not. */
export function isEmphasis(
  { raw, text }: { raw: string; text: string },
  source: string,
  before: string,
): boolean {
  const isName = raw.startsWith('__') && /^[a-z0-9_]+$/.test(text);
  return (
    !isName &&
    /^[\s([{"'“‘—–-]?$/u.test(before) &&
    /^[^/.]/.test(text) &&
    !/^(?:[\p{L}\p{N}_*/\\]|\.[\p{L}\p{N}*])/u.test(source.slice(raw.length))
  );
}
