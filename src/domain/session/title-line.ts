export const LONGEST_TITLE = 100;
/** Of what is added to a title. */
const LONGEST_MORE = 48;

/** A session's given name, on one line. */
export function titleOf(name: string): string {
  const lines = plainLines(name);
  return shorten(lines[0] ?? '');
}

/** A title and what tells it from others. */
export function joinTitle(title: string, more: string | null): string {
  if (more === null || title.includes(more)) return title;
  const room = LONGEST_TITLE - Math.min(more.length, LONGEST_MORE) - 3;
  return `${shorten(title, room)} · ${shorten(more, LONGEST_MORE)}`;
}

export function plainLines(text: string): string[] {
  return text
    .split(/[\n\r\u2028\u2029]/)
    .map((line) =>
      line
        .replace(/^[\s#>*•–-]+|^\s*\d+[.)]\s+/, '')
        .replace(/\*\*|__/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}

/** Paths of files, of which the name says most. */
const PATHS = /(?<![\w@.:/-])@?(?:[\w.-]{1,80}\/){2,20}([\w.-]{1,80}\.\w{1,5})\b(?!\/)/g;

export function shorten(line: string, longest = LONGEST_TITLE): string {
  if (line.length <= longest) return line;
  const named = line.replace(PATHS, '$1');
  if (named.length <= longest) return named;
  const cut = named.slice(0, longest - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > longest / 2 ? cut.slice(0, space) : cut).replace(/[\ud800-\udbff]$/, '')}…`;
}
