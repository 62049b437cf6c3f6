import type { Argv } from 'yargs';
import type { SettingDescription } from '../../config/schema.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { type CommandContext, EXIT, type GlobalArguments, runCommand } from '../run-command.ts';

interface ConfigArguments extends GlobalArguments {
  action: string;
  key?: string | undefined;
  value?: string | undefined;
}

export const configCommand = {
  command: 'config <action> [key] [value]',
  describe: 'read and change settings',
  builder: (yargs: Argv) =>
    yargs
      .positional('action', { choices: ['get', 'set', 'unset', 'list', 'path'] as const, demandOption: true })
      .positional('key', { type: 'string', describe: 'a setting, such as search.max_results' })
      .positional('value', { type: 'string', describe: 'text, a number, or JSON' })
      .option('json', { type: 'boolean', describe: 'print as JSON' })
      .example('$0 config set search.max_results 10', 'ten results from now on')
      .example('$0 config set embedding.provider qdrant-cloud', 'the server embeds; no model is needed')
      .example('$0 config list', 'every setting: its value, where that comes from, and what it is for'),
  handler: (args: ConfigArguments) =>
    runCommand(args, (context) => run(context, args), {
      // Settings that do not go together are mended here.
      withInvalidSettings: args.action !== 'get',
    }),
};

async function run(context: CommandContext, args: ConfigArguments): Promise<void> {
  const { listSettings } = await import('../../config/schema.ts');
  const known = listSettings();
  if (args.action === 'path') return printPath(context, args);
  if (args.action === 'list') return printAll(context, args, known);
  const key = knownKey(args.key, known);
  if (args.action === 'get') return printOne(context, args, key);
  return change(context, args, key);
}

async function printPath({ config, terminal }: CommandContext, args: ConfigArguments): Promise<void> {
  const { settingsPath } = await import('../../config/files.ts');
  const path = settingsPath(config.home);
  terminal.out(args.json === true ? JSON.stringify({ path }) : path);
}

async function printAll(
  { config, terminal, invalidSettings }: CommandContext,
  args: ConfigArguments,
  known: SettingDescription[],
): Promise<void> {
  const { settingsPath } = await import('../../config/files.ts');
  const { settingValue } = await import('../../config/values.ts');
  const rows = known.map(({ key, description }) => ({ key, ...settingValue(config, key), description }));
  const { errorLook } = terminal;
  const { renderError } = await import('../shared/render-error.ts');
  for (const problem of invalidSettings) terminal.err(renderError(problem, errorLook, { debug: false }));
  if (invalidSettings.length > 0) process.exitCode = EXIT.failed;
  if (args.json === true) {
    return terminal.out(JSON.stringify({ path: settingsPath(config.home), settings: rows }));
  }
  const { renderSettings } = await import('./render-settings.ts');
  terminal.out(renderSettings(rows, terminal));
}

async function printOne(
  { config, terminal }: CommandContext,
  args: ConfigArguments,
  key: string,
): Promise<void> {
  const { settingValue } = await import('../../config/values.ts');
  const { value, origin } = settingValue(config, key);
  if (args.json === true) return terminal.out(JSON.stringify({ key, value, origin }));
  terminal.out(value === null ? '(not set)' : typeof value === 'string' ? value : JSON.stringify(value));
}

async function change(
  { config, terminal }: CommandContext,
  args: ConfigArguments,
  key: string,
): Promise<void> {
  const { settingsPath, writeSetting } = await import('../../config/files.ts');
  const { checkPatterns } = await import('../../compose/privacy.ts');
  const path = settingsPath(config.home);
  if (args.action === 'set' && args.value === undefined) {
    throw new SmartForkError('USAGE', `config set ${key} needs a value`, {
      hint: `smart-fork config set ${key} VALUE`,
    });
  }
  const value = args.action === 'set' ? parseValue(args.value ?? '') : undefined;
  const { checkTogether } = await import('../../config/config.ts');
  await writeSetting(config.home, key, value, async (settings) => {
    await checkPatterns(settings.privacy?.redact ?? []);
    await checkTogether(config.home, settings);
  });
  if (args.json === true) return terminal.out(JSON.stringify({ path, key, action: args.action }));
  terminal.err(`${args.action === 'set' ? 'Set' : 'Unset'} ${key} in ${path}.`);
}

function knownKey(key: string | undefined, known: { key: string }[]): string {
  if (key !== undefined && known.some((one) => one.key === key)) return key;
  throw new SmartForkError('USAGE', key === undefined ? 'which setting?' : `there is no setting ${key}`, {
    hint: `Settings: ${known.map((one) => one.key).join(', ')}`,
  });
}

/** JSON where it is JSON, else the text as it is. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A word is its own value.
    return text;
  }
}
