const MAX_RANGES = 400;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Highlights a query's words without changing the text: the browser paints the ranges. */
export function markWords(root: HTMLElement | null, query: string): void {
  clearTimeout(timer);
  if (!('highlights' in CSS)) return;
  timer = setTimeout(() => {
    const words = wordsOf(query);
    if (root === null || words === null) CSS.highlights.delete('match');
    else CSS.highlights.set('match', new Highlight(...rangesOf(root, words)));
  }, 180);
}

export function wordsOf(query: string): RegExp | null {
  const words = (query.match(/[\p{L}\p{N}_]{3,}/gu) ?? []).map((word) => word.slice(0, 40)).slice(0, 20);
  return words.length === 0 ? null : new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})`, 'giu');
}

export function rangesOf(root: HTMLElement, words: RegExp): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MAX_RANGES; node = walker.nextNode())
    for (const match of (node.nodeValue ?? '').slice(0, 20_000).matchAll(words)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      ranges.push(range);
    }
  return ranges;
}
