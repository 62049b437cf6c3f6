import { asksForVersion, printHelp, printVersion } from './about.ts';

// `smart-fork --version` and `smart-fork --help`, without loading what the commands need.
if (process.argv.some(asksForVersion)) printVersion();
else printHelp();
