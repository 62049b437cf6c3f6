import type { SettingKey } from '../../config/settings.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { nearestValues } from '../../domain/text/nearest-value.ts';
import {
  type CommandContext,
  defineCommand,
  EXIT,
  type GlobalArguments,
  runCommand,
} from '../run-command.ts';

interface ConfigArguments extends GlobalArguments {
  action: string;
  key?: string;
  value?: string;
}

export const configCommand = defineCommand({
  command: 'config <action> [key] [value]',
  describe: 'read and change settings',
  builder: (yargs) =>
    yargs
      .positional('action', { choices: ['get', 'set', 'unset', 'list', 'path'] as const, demandOption: true })
      .positional('key', { type: 'string', describe: 'setting name, such as search.max_results' })
      .positional('value', { type: 'string', describe: 'text, a number, or JSON' })
      .option('json', { type: 'boolean', describe: 'print as JSON' })
      .example('$0 config set search.max_results 10', 'show ten results per search')
      .example(
        '$0 config set embedding.provider qdrant-cloud',
        'let the server embed: this machine needs no model',
      )
      .example('$0 config list', 'list every setting with its value, origin and purpose'),
  handler: (args) =>
    runCommand(args, (context) => run(context, args), {
      // Invalid settings can be fixed with this command.
      withInvalidSettings: args.action !== 'get',
    }),
});

async function run(context: CommandContext, args: ConfigArguments): Promise<void> {
  if (args.action === 'path') return printPath(context, args);
  if (args.action === 'list') return printAll(context, args);
  const key = await knownKey(args.key);
  return args.action === 'get' ? printOne(context, args, key) : change(context, args, key);
}

async function printPath({ config, terminal }: CommandContext, args: ConfigArguments): Promise<void> {
  const { settingsPath } = await import('../../config/files.ts');
  const path = settingsPath(config.home);
  terminal.out(args.json === true ? JSON.stringify({ path }) : path);
}

async function printAll(context: CommandContext, args: ConfigArguments): Promise<void> {
  const { config, terminal, invalidSettings } = context;
  const { settingsPath } = await import('../../config/files.ts');
  const { listSettings } = await import('../../config/list-settings.ts');
  const { renderError } = await import('../shared/render-error.ts');
  for (const problem of invalidSettings)
    terminal.err(renderError(problem, terminal.errorLook, { debug: false }));
  if (invalidSettings.length > 0) process.exitCode = EXIT.failed;
  const settings = listSettings(config);
  if (args.json === true) return terminal.out(JSON.stringify({ path: settingsPath(config.home), settings }));
  const { renderSettings } = await import('./render-settings.ts');
  terminal.out(renderSettings(settings, terminal));
}

async function printOne(context: CommandContext, args: ConfigArguments, wanted: SettingKey): Promise<void> {
  const { config, terminal } = context;
  const { listSettings } = await import('../../config/list-settings.ts');
  const { unsetText } = await import('./render-settings.ts');
  for (const { key, value, origin, if_unset } of listSettings(config).filter(({ key }) => key === wanted)) {
    if (args.json === true) terminal.out(JSON.stringify({ key, value, origin, if_unset }));
    else
      terminal.out(
        value === null ? unsetText(if_unset) : typeof value === 'string' ? value : JSON.stringify(value),
      );
  }
}

async function change(
  { config, parts, terminal }: CommandContext,
  args: ConfigArguments,
  key: SettingKey,
): Promise<void> {
  const { settingsPath, writeSetting } = await import('../../config/files.ts');
  const { checkTogether } = await import('../../config/config.ts');
  const { checkPatterns } = await import('../../compose/privacy.ts');
  const path = settingsPath(config.home);
  if (args.action === 'set' && args.value === undefined) {
    throw new SmartForkError('USAGE', `config set ${key} needs a value`, {
      hint: `smart-fork config set ${key} VALUE`,
    });
  }
  const value = args.action === 'set' ? await givenValue(key, args.value ?? '') : undefined;
  await writeSetting(config.home, key, value, async (file) => {
    const { get } = await checkTogether(config.home, file);
    await checkPatterns(get('privacy.redact'));
  });
  if (args.json === true) return terminal.out(JSON.stringify({ path, key, action: args.action }));
  terminal.err(`${args.action === 'set' ? 'Set' : 'Unset'} ${key} in ${path}.`);
  const applies = APPLIED_BY.find(([part]) => key.includes(part))?.[1];
  if (applies !== undefined && parts.storeExists())
    terminal.err(`It counts for what is indexed from now on. To apply it to all: smart-fork ${applies}`);
}

/** Parts of the names of settings that decide what is indexed, and the command that applies a new value to all. */
const APPLIED_BY = [
  ['privacy.', 'index'],
  ['.homes', 'index'],
  ['indexing.chunk_', 'reindex'],
] as const;

async function knownKey(key: string | undefined): Promise<SettingKey> {
  const { isSettingKey, settingKeys } = await import('../../config/settings.ts');
  if (key !== undefined && isSettingKey(key)) return key;
  const near = nearestValues(key ?? '', settingKeys())
    .slice(0, 2)
    .join(' or ');
  throw new SmartForkError('USAGE', key === undefined ? 'no setting given' : `unknown setting ${key}`, {
    hint: `${near === '' ? '' : `Did you mean ${near}? `}smart-fork config list shows all settings.`,
  });
}

/** @throws SmartForkError USAGE for a value that does not fit */
async function givenValue(key: SettingKey, text: string): Promise<unknown> {
  const { settingRows } = await import('../../config/settings.ts');
  const { problemWith } = await import('../../config/check-settings.ts');
  const value = parseValue(text);
  const row = settingRows[key];
  const problem = problemWith(row, value);
  if (problem === null) return value;
  throw new SmartForkError('USAGE', `${key}: ${problem}`, {
    hint: row.kind.accepts([text])
      ? `smart-fork config set ${key} '${JSON.stringify([text])}'`
      : 'docs/configuration.md describes the values.',
  });
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text is printed without quotes.
    return text;
  }
}
