const LONGEST_TITLE = 100;

/** A one-line title from a prompt: its first line with words, or the next one if the first only announces it (`Please do this:`). */
export function titleOf(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/^[\s#>*-]+/, '').trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const first = lines[0] ?? '';
  const announced = first.endsWith(':') && first.length < 50 ? lines[1] : undefined;
  return shorten((announced ?? first).replace(/^Plan:\s*/i, '').replace(/\s+/g, ' '));
}

function shorten(line: string): string {
  if (line.length <= LONGEST_TITLE) return line;
  const cut = line.slice(0, LONGEST_TITLE - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > LONGEST_TITLE / 2 ? cut.slice(0, space) : cut).replace(/[\ud800-\udbff]$/, '')}…`;
}
