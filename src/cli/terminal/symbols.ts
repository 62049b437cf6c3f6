export interface Symbols {
  star: string;
  /** Marks a fork. */
  fork: string;
  separator: string;
  ellipsis: string;
  gutter: string;
  times: string;
  dash: string;
  rule: string;
  bullet: string;
  arrow: string;
  /** Marks the highlighted item. */
  pointer: string;
  /** The arrow keys. */
  upDown: string;
  right: string;
  ok: string;
  warn: string;
  fail: string;
  /** Partial blocks from thin to full; a bar ends with one. */
  blocks: readonly string[];
  barLeft: string;
  barRight: string;
  barEmpty: string;
}

export function symbolsFor(unicode: boolean): Symbols {
  return unicode ? UNICODE : ASCII;
}

const UNICODE: Symbols = {
  star: '★',
  fork: '⑂',
  separator: ' · ',
  ellipsis: '…',
  gutter: '│',
  times: '×',
  dash: '–',
  rule: '─',
  bullet: '•',
  arrow: '→',
  pointer: '❯',
  upDown: '↑/↓',
  right: '→',
  ok: '✔',
  warn: '▲',
  fail: '✖',
  blocks: ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
  barLeft: '▕',
  barRight: '▏',
  barEmpty: ' ',
};

const ASCII: Symbols = {
  star: '*',
  fork: 'fork:',
  separator: ' - ',
  ellipsis: '...',
  gutter: '|',
  times: 'x',
  dash: '-',
  rule: '-',
  bullet: '-',
  arrow: '->',
  pointer: '>',
  upDown: 'Up/Down',
  right: 'Right',
  ok: '+',
  warn: '!',
  fail: 'x',
  blocks: ['#'],
  barLeft: '[',
  barRight: ']',
  barEmpty: '.',
};
