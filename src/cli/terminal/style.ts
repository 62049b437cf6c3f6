import { Chalk } from 'chalk';

/** None, 16 colours, 256 colours, 16 million. */
export type ColorLevel = 0 | 1 | 2 | 3;
type Paint = (text: string) => string;

/** Styles by what they mean. Each leaves text alone when there is no colour. */
export interface Style {
  strong: Paint;
  dim: Paint;
  /** Ranks, headings, bars. */
  accent: Paint;
  /** What is to be copied. */
  command: Paint;
  /** Words that were searched for. */
  match: Paint;
  good: Paint;
  warn: Paint;
  bad: Paint;
  badge: Paint;
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
  };
}
