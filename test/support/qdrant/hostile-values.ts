/** Values that no payload field contains, and some that a few fields do. */
export const HOSTILE_VALUES: unknown[] = [
  ...[
    0,
    -1,
    1.5,
    1e300,
    8.7e15,
    '',
    ' ',
    'text',
    '2026-13-45',
    '../../etc/passwd',
    '\u0000',
    '\u001b]52;c;x\u0007',
  ],
  ...[true, false, [], [null], [1], ['a', 1], [[]], [{}], {}, { a: 1 }, { session_id: 1 }],
  ...['x'.repeat(100_000), Array.from({ length: 1000 }, () => 'y')],
];
