import { asksForVersion, printVersion } from './about.ts';
import { helpWidth, renderHelp } from './help/render-help.ts';
import { print } from './terminal/print.ts';

// `smart-fork --version` and `smart-fork --help`, without loading what the commands need.
if (process.argv.some(asksForVersion)) printVersion();
else print(`${renderHelp(helpWidth())}\n`);
