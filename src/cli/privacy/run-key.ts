import {
  createKey,
  exportKey,
  importKey,
  keyId,
  keyPath,
  type PlacedKey,
  refuseOtherKey,
} from '../../compose/key.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { type CommandContext, EXIT } from '../run-command.ts';
import { longEnough } from '../shared/long-enough.ts';
import { askSecret } from '../terminal/prompt.ts';

interface KeyOptions {
  action: 'create' | 'status' | 'export' | 'import';
  text?: string;
  force?: boolean;
  json?: boolean;
}

/** Maximum number of characters to read from standard input; every key is shorter. */
const LONGEST_INPUT = 10_000;

/** Manages the encryption key. Only `export` prints it. */
export async function runKey(context: CommandContext, options: KeyOptions): Promise<void> {
  if (options.action !== 'import' && options.text !== undefined) {
    throw new SmartForkError('USAGE', `key ${options.action} takes no argument`, {
      hint: 'smart-fork asks for the passphrase, or reads it from SMART_FORK_PASSPHRASE. On the command line other users could read it.',
    });
  }
  await ACTIONS[options.action](context, options);
}

type Action = (context: CommandContext, options: KeyOptions) => Promise<void>;

const ACTIONS: Record<KeyOptions['action'], Action> = {
  async create(context, { force = false, json }) {
    if (!force) refuseOtherKey(context.config);
    const passphrase = await newPassphrase(context);
    const placed = await createKey(context.config, passphrase, force);
    if (json) return context.terminal.out(JSON.stringify(keyRecord(context, placed)));
    context.terminal.out(
      [
        ...placedLines('Created', placed),
        'Store a copy with your passwords: smart-fork key export. Without the key, nobody can read the data on the server;',
        'the passphrase alone does not recover it.',
        ...nextLines(context),
        'On your other machines, run: smart-fork key import',
      ].join('\n'),
    );
  },
  async status(context, { json }) {
    const { config, terminal } = context;
    const id = keyId(config);
    if (config.encryption && id === null) process.exitCode = EXIT.failed;
    if (json)
      return terminal.out(JSON.stringify(keyRecord(context, { id, path: keyPath(config), kept: null })));
    terminal.out(id === null ? `No key in ${keyPath(config)}.` : `Key ${id} in ${keyPath(config)}.`);
    terminal.out(`Encryption is ${config.encryption ? 'on' : 'off'}.`);
    if (id === null)
      terminal.out(
        'Create one: smart-fork key create. Or import it from another machine: smart-fork key import.',
      );
  },
  async export({ config, terminal }, { json }) {
    const key = exportKey(config);
    terminal.out(json ? JSON.stringify({ id: keyId(config), key }) : key);
    if (terminal.isTTY)
      terminal.err('Anyone with this line can decrypt everything. Import it with: smart-fork key import');
  },
  async import(context, { text, force = false, json }) {
    const placed = importKey(context.config, text ?? (await givenKey(context)), force);
    if (json) return context.terminal.out(JSON.stringify(keyRecord(context, placed)));
    context.terminal.out([...placedLines('Imported', placed), ...nextLines(context)].join('\n'));
  },
};

function keyRecord({ config }: CommandContext, key: Omit<PlacedKey, 'id'> & { id: string | null }) {
  return { ...key, encryption: config.encryption ? 'on' : 'off' };
}

function placedLines(done: string, { id, path, kept }: PlacedKey): string[] {
  return [`${done} key ${id}: ${path}`, ...(kept === null ? [] : [`The previous file is now ${kept}.`])];
}

function nextLines({ config }: CommandContext): string[] {
  return config.encryption ? [] : ['Turn encryption on: smart-fork config set encryption on'];
}

async function newPassphrase({ terminal, env, signal }: CommandContext): Promise<string> {
  const given = env.SMART_FORK_PASSPHRASE;
  if (given !== undefined && given !== '') return longEnough(given);
  if (!terminal.interactive) {
    throw new SmartForkError('USAGE', 'cannot ask for a passphrase: not a terminal', {
      hint: 'Run the command in a terminal, or set SMART_FORK_PASSPHRASE.',
    });
  }
  const first = longEnough(await askSecret('Passphrase', { terminal, signal }));
  if ((await askSecret('Repeat it', { terminal, signal })) === first) return first;
  throw new SmartForkError('USAGE', 'the passphrases differ; no key was created', { hint: 'Run it again.' });
}

async function givenKey({ terminal, signal }: CommandContext): Promise<string> {
  if (terminal.interactive) return askSecret('The line that key export printed', { terminal, signal });
  return terminal.stdin === undefined ? '' : readStart(terminal.stdin);
}

/** Reads only the start, because the input may never end. */
async function readStart(stdin: AsyncIterable<Uint8Array | string>): Promise<string> {
  let text = '';
  for await (const piece of stdin) {
    text += String(piece);
    if (text.length > LONGEST_INPUT) break;
  }
  return text.slice(0, LONGEST_INPUT);
}
