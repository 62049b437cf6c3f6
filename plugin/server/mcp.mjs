// The plugin's MCP server: starts the server of the smart-fork that the plugin uses. If there is none yet, it prepares one, and
// answers for it in the meantime.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { answerMeanwhile } from './answer-meanwhile.mjs';
import { isOutdated, isPrepared, startPreparing } from './prepare.mjs';

const { findClone, findCommand, findProgram } = createRequire(import.meta.url)('./find-program.cjs');

const args = ['mcp', ...process.argv.slice(2)];
const program = findProgram();
const clone = findClone();
const command = program === undefined ? findCommand() : undefined;

if (program !== undefined) await serve();
else if (command !== undefined) delegate();
else answerMeanwhile(startPreparing(clone), () => spawnServer(process.execPath, [findProgram(), ...args]));

/** In this process, whose parent is the agent: the server recognizes the running session by it. */
async function serve() {
  if (isPrepared(program) && isOutdated(clone)) startPreparing(clone);
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}

/** Runs another program as the server, on our stdin and stdout. */
function delegate() {
  const isScript = process.platform === 'win32';
  const child = spawnServer(isScript ? `"${command}"` : command, args, { stdio: 'inherit', shell: isScript });
  child.on('error', (error) => process.stderr.write(`cannot start ${command}: ${error.message}\n`));
}

function spawnServer(file, words, options = { stdio: ['pipe', 'pipe', 'inherit'] }) {
  const child = spawn(file, words, options);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
  return child;
}
