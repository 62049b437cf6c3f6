import type { Argv } from 'yargs';

/** The argument `<id>` and the option `--json`, the same in every command for a single session. */
export function withSession<T>(yargs: Argv<T>, json: string): Argv<T & { id: string }> {
  return yargs
    .positional('id', { type: 'string', demandOption: true, describe: 'session id or prefix' })
    .option('json', { type: 'boolean', describe: json }) as unknown as Argv<T & { id: string }>;
}
