import { shortId } from '../../domain/session/session-id.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { type ColorLevel, createStyle, type Style } from './style.ts';
import { type Symbols, symbolsFor } from './symbols.ts';

/** The output's width in columns, colours and character set. */
export interface Look {
  readonly columns: number;
  readonly color: ColorLevel;
  readonly unicode: boolean;
  /** See Ink; defaults to the usual short form. */
  readonly shortId?: (sessionId: string) => string;
}

/** The tools of the render functions. */
export interface Ink {
  columns: number;
  style: Style;
  symbols: Symbols;
  /** The shortest form of a session's id that distinguishes it from all others. */
  shortId(sessionId: string): string;
}

const NARROWEST = 20;

export function createInk(look: Look): Ink {
  return {
    columns: Math.max(NARROWEST, look.columns),
    style: createStyle(look.color),
    symbols: symbolsFor(look.unicode),
    shortId: look.shortId ?? ((id) => shortId(sanitizeLine(id))),
  };
}
