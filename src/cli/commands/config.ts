import type { Argv } from 'yargs';
import { SmartForkError } from '../../domain/errors.ts';
import { type CommandContext, type GlobalArguments, runCommand } from '../run-command.ts';

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
      .example('$0 config list', 'every setting and what it is for'),
  handler: (args: ConfigArguments) => runCommand(args, (context) => run(context, args)),
};

async function run({ config, terminal }: CommandContext, args: ConfigArguments): Promise<void> {
  const { settingsPath, writeSetting } = await import('../../config.ts');
  const { listSettings, SECRET_SETTINGS } = await import('../../config-schema.ts');
  const path = settingsPath(config.home);
  const known = listSettings();
  if (args.action === 'path') return terminal.out(args.json === true ? JSON.stringify({ path }) : path);
  if (args.action === 'list') {
    const rows = known.map(({ key, description }) => ({
      key,
      value: shown(key, SECRET_SETTINGS, settingOf(config.settings, key)) ?? null,
      description,
    }));
    if (args.json === true) return terminal.out(JSON.stringify({ path, settings: rows }));
    const { renderSettings } = await import('../output/render-settings.ts');
    return terminal.out(renderSettings(rows, terminal));
  }
  const key = knownKey(args.key, known);
  if (args.action === 'get') {
    const value = shown(key, SECRET_SETTINGS, settingOf(config.settings, key));
    return terminal.out(
      args.json === true ? JSON.stringify({ key, value: value ?? null }) : (display(value) ?? '(not set)'),
    );
  }
  if (args.action === 'set' && args.value === undefined) {
    throw new SmartForkError('USAGE', `config set ${key} needs a value`, {
      hint: `smart-fork config set ${key} VALUE`,
    });
  }
  await writeSetting(config.home, key, args.action === 'set' ? parseValue(args.value ?? '') : undefined);
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

/** That a secret is set may be seen, the secret not. */
function shown(key: string, secrets: string[], value: unknown): unknown {
  return secrets.includes(key) && value !== undefined ? '********' : value;
}

function settingOf(settings: object, key: string): unknown {
  return key.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), settings);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function display(value: unknown): string | undefined {
  return typeof value === 'string' || value === undefined ? value : JSON.stringify(value);
}
