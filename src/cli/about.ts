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
