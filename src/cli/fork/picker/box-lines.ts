import type { Ink } from '../../terminal/ink.ts';
import { displayWidth, padEnd } from '../../terminal/width.ts';

const WIDEST = 60;

/** A line of text in a box. */
export function boxLines(text: string, width: number, ink: Ink, centred: boolean): string[] {
  const { corners, rule, gutter } = ink.symbols;
  const [topLeft, topRight, bottomLeft, bottomRight] = corners;
  const inner = Math.min(WIDEST, width) - 2;
  const left = centred ? ' '.repeat(Math.max(0, (inner - displayWidth(text)) >> 1)) : ' ';
  const side = rule.repeat(inner);
  return [
    topLeft + side + topRight,
    gutter + padEnd(left + text, inner) + gutter,
    bottomLeft + side + bottomRight,
  ];
}
