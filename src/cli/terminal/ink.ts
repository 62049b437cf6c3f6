import { shortId } from '../../domain/session/session-id.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { type ColorLevel, createStyle, type Style } from './style.ts';
import { type Symbols, symbolsFor } from './symbols.ts';
import { truncate } from './width.ts';

/** The output's width in columns, colours and character set. */
export interface Look {
  readonly columns: number;
  readonly color: ColorLevel;
  readonly unicode: boolean;
  /** See Ink; defaults to the usual short form. */
  readonly shortId?: (sessionId: string) => string;
  /** What a session is called; undefined if it was not looked up. */
  readonly nameOf?: (sessionId: string) => string | undefined;
}

/** The tools of the render functions. */
export interface Ink {
  columns: number;
  style: Style;
  symbols: Symbols;
  /** The shortest form of a session's id that distinguishes it from all others. */
  shortId(sessionId: string): string;
  /** The same with the session's name. */
  named(sessionId: string): string;
}

const NARROWEST = 20;

const LONGEST_NAME = 40;

export function createInk(look: Look): Ink {
  const short = look.shortId ?? ((id: string) => shortId(sanitizeLine(id)));
  const symbols = symbolsFor(look.unicode);
  return {
    columns: Math.max(NARROWEST, look.columns),
    style: createStyle(look.color),
    symbols,
    shortId: short,
    named(id) {
      const name = sanitizeLine(look.nameOf?.(id) ?? '');
      return name === '' ? short(id) : `${short(id)} ${truncate(name, LONGEST_NAME, symbols.ellipsis)}`;
    },
  };
}
