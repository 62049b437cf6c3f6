// A plugin's hook: runs the hook of the smart-fork that the plugin uses, or nothing. It never prints and never fails: an agent
// would show that to its user after every answer.
process.on('uncaughtException', () => undefined);
const program = require('./find-program.cjs').findProgram();
if (program !== undefined) {
  process.argv.splice(1, 2, program, 'hook', process.argv[2]);
  require(program);
}
