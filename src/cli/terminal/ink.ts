import { type ColorLevel, createStyle, type Style } from './style.ts';
import { type Symbols, symbolsFor } from './symbols.ts';

/** The output's width in columns, colours and character set. */
export interface Look {
  readonly columns: number;
  readonly color: ColorLevel;
  readonly unicode: boolean;
}

/** The tools of the render functions. */
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
