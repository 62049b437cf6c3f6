import { readFileSync } from 'node:fs';
import { isSharedFile } from '../../compose/key.ts';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { OpeningKey, SealingKey } from '../../ports/bundle/bundle-file.ts';
import type { CommandContext } from '../run-command.ts';
import { longEnough } from '../shared/long-enough.ts';
import { askSecret } from '../terminal/prompt.ts';
import type { InputStream } from '../terminal/terminal.ts';

export interface SealingArguments {
  recipient?: string[];
  passphraseFile?: string;
}

export interface OpeningArguments {
  identity?: string[];
  passphraseFile?: string;
}

/** Recipients, or a passphrase that is read from a file or asked for twice. */
export async function sealingKey(
  context: CommandContext,
  { recipient = [], passphraseFile }: SealingArguments,
): Promise<SealingKey> {
  if (recipient.length > 0) return { recipients: recipient };
  if (passphraseFile !== undefined)
    return { passphrase: longEnough(await passphraseIn(context, passphraseFile)) };
  const first = longEnough(await ask(context, 'Passphrase'));
  if ((await ask(context, 'Repeat it')) === first) return { passphrase: first };
  throw new SmartForkError('USAGE', 'the passphrases differ; nothing was exported', {
    hint: 'Run it again.',
  });
}

/** The kind of key that the bundle requires. */
export async function openingKey(
  context: CommandContext,
  kind: 'passphrase' | 'key',
  { identity = [], passphraseFile }: OpeningArguments,
): Promise<OpeningKey> {
  if (kind === 'key') {
    if (identity.length > 0) return { identities: identity.flatMap(identitiesIn) };
    throw new SmartForkError('USAGE', 'the bundle is encrypted to a recipient, not with a passphrase', {
      hint: 'Give the secret key file written by age-keygen: --identity FILE',
    });
  }
  if (identity.length > 0) {
    throw new SmartForkError('USAGE', 'the bundle is encrypted with a passphrase, not to a recipient', {
      hint: 'Leave out --identity.',
    });
  }
  const isGiven = passphraseFile !== undefined;
  return {
    passphrase: isGiven ? await passphraseIn(context, passphraseFile) : await ask(context, 'Passphrase'),
  };
}

async function ask({ terminal, signal }: CommandContext, question: string): Promise<string> {
  if (terminal.interactive) return askSecret(question, { terminal, signal });
  throw new SmartForkError('USAGE', 'cannot ask for a passphrase: not a terminal', {
    hint: 'Give --passphrase-file FILE; - reads standard input, /dev/fd/3 a descriptor.',
  });
}

/** The first line of a file; `-` is standard input. */
async function passphraseIn({ terminal }: CommandContext, path: string): Promise<string> {
  const text = path === '-' ? await textOf(terminal.stdin) : readSecret(path);
  const passphrase = text.split(/\r?\n/, 1)[0] ?? '';
  if (passphrase !== '') return passphrase;
  throw new SmartForkError('USAGE', `the first line of ${path} is empty`, {
    hint: 'Put the passphrase there.',
  });
}

async function textOf(stream: InputStream | undefined): Promise<string> {
  const pieces: Uint8Array[] = [];
  // A character may be split across two pieces.
  for await (const piece of stream ?? []) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString('utf8');
}

function identitiesIn(path: string): string[] {
  return readSecret(path)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Of a file that only its owner can read. */
function readSecret(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SmartForkError('USAGE', `cannot read ${path}: ${errorText(error)}`, { cause: error });
  }
  if (!isSharedFile(path)) return text;
  throw new SmartForkError('USAGE', `other users can read ${path}`, {
    hint: `chmod 600 ${path}`,
  });
}
