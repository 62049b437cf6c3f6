import { type ColorLevel, createStyle, type Style } from './style.ts';
import { type Symbols, symbolsFor } from './symbols.ts';

/** What a page of text has to fit: the width in columns, the colours, the characters. */
export interface Look {
  readonly columns: number;
  readonly color: ColorLevel;
  readonly unicode: boolean;
}

/** What the render functions draw with. */
export interface Ink {
  columns: number;
  style: Style;
  symbols: Symbols;
}

const NARROWEST = 20;

export function createInk(look: Look): Ink {
  return {
    columns: Math.max(NARROWEST, look.columns),
    style: createStyle(look.color),
    symbols: symbolsFor(look.unicode),
  };
}
