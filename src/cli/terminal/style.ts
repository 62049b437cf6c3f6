import { Chalk } from 'chalk';

/** None, 16 colours, 256 colours, 16 million. */
export type ColorLevel = 0 | 1 | 2 | 3;
type Paint = (text: string) => string;

/** Styles by meaning. Without colour they return the text unchanged. */
export interface Style {
  strong: Paint;
  dim: Paint;
  /** Ranks, headings, bars. */
  accent: Paint;
  command: Paint;
  /** Words of the query. */
  match: Paint;
  good: Paint;
  warn: Paint;
  bad: Paint;
  badge: Paint;
  /** Ideas that no longer hold. */
  gone: Paint;
}

export function createStyle(level: ColorLevel): Style {
  const chalk = new Chalk({ level });
  return {
    strong: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    accent: (text) => chalk.cyan(text),
    command: (text) => chalk.cyan(text),
    match: (text) => chalk.bold.yellow(text),
    good: (text) => chalk.green(text),
    warn: (text) => chalk.yellow(text),
    bad: (text) => chalk.red(text),
    badge: (text) => chalk.bold.green(text),
    gone: (text) => chalk.dim.strikethrough(text),
  };
}
