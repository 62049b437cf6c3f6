import { helpWidth, renderFullHelp, renderHelp } from './help/render-help.ts';
import { print } from './terminal/print.ts';
import { version } from './version.ts';

export function asksForHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

export function asksForVersion(word: string): boolean {
  return word === '--version' || word === '-V';
}

export function printVersion(): void {
  print(`${version()}\n`);
}

/** Prints the help of the common commands, or of all. */
export function printHelp(ofAll = false): void {
  print(`${(ofAll ? renderFullHelp : renderHelp)(helpWidth())}\n`);
}
