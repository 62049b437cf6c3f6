const PIECES = [
  'word',
  'a',
  'longerwordthanmost',
  'x'.repeat(120),
  '日本語テキスト',
  '中',
  '👩‍👩‍👧‍👦',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '🇯🇵',
  '👍🏽',
  'é',
  'e\u0301',
  'ﾊﾟ',
  'ไทย',
  'हिन्दी',
  'שלום',
  'مرحبا',
  '\t',
  '\n',
  '  ',
  '—',
  '…',
  '→',
  '★',
  '😀',
  '/very/long/path/to/some/file.ts',
  '\x1b[31m',
  '\x1b]0;title\x07',
  '\u202e',
  '\x00',
  '\x9b2J',
  '\r',
  '\ud800',
  'ㄱㄴ',
  '각',
  '\u200b',
  '\u200d',
  '\ufe0f',
  '\u0301',
  '\u00ad',
  '한국어',
];

/** Random text of all kinds; the same text for the same seed. */
export function randomText(seed: number, pieces = 40): string {
  const random = generator(seed);
  let text = '';
  for (let i = 0; i < pieces; i++)
    text += (PIECES[Math.floor(random() * PIECES.length)] ?? '') + (random() < 0.6 ? ' ' : '');
  return text;
}

/** mulberry32. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
