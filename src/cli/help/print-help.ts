import { print } from '../terminal/print.ts';
import { helpWidth, renderFullHelp, renderHelp } from './render-help.ts';

export { helpWidth, renderExamples } from './render-help.ts';

/** Prints the help of the common commands, or of all. */
export function printHelp(ofAll = false): void {
  print(`${(ofAll ? renderFullHelp : renderHelp)(helpWidth())}\n`);
}
