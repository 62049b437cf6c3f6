import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { expect, it } from 'vitest';
import { createRedactor } from '../../../src/adapters/secretlint/create-redactor.ts';
import { findByLibraryRules } from '../../../src/adapters/secretlint/library-rules.ts';
import { findPrivateKeys } from '../../../src/adapters/secretlint/private-keys.ts';
import { mayHoldKnownSecret } from '../../../src/adapters/secretlint/screen.ts';
import { CREDENTIALS } from './credentials.ts';
import { type FakeCredential, seededRandom } from './fake-credential.ts';

const SAMPLES = 25;
/** A random password sometimes looks like a path, a name or a member access. */
const FLOORS: Record<FakeCredential['claimed'], number> = { library: 1, issuer: 1, named: 0.9, none: 0 };

it('finds at least 60 kinds of credentials, and reports how many of each', async () => {
  const redactor = createRedactor();
  const rows: { kind: string; claimed: FakeCredential['claimed']; recall: number }[] = [];
  for (const [at, { kind, claimed, make }] of CREDENTIALS.entries()) {
    const samples = Array.from({ length: SAMPLES }, (_, seed) => make(seededRandom(at * 1000 + seed)));
    const redactions = await redactor.redact(samples.map(({ text }) => ({ text })));
    const found = samples.filter(({ secret }, index) => !leaks(redactions[index]?.text ?? secret, secret));
    rows.push({ kind, claimed, recall: found.length / SAMPLES });
  }
  console.log(table(rows));
  const weak = rows.filter(({ claimed, recall }) => recall < FLOORS[claimed]);
  expect(weak).toEqual([]);
  expect(
    rows.filter(({ claimed, recall }) => claimed !== 'none' && recall >= 0.9).length,
  ).toBeGreaterThanOrEqual(60);
});

it('lets every text that a rule matches pass the screen', async () => {
  const missed: string[] = [];
  for (const [at, { kind, make }] of CREDENTIALS.entries()) {
    for (let seed = 0; seed < SAMPLES; seed += 1) {
      const { text } = make(seededRandom(at * 7919 + seed));
      const found = [...(await findByLibraryRules(text)), ...findPrivateKeys(text)];
      if (found.length > 0 && !mayHoldKnownSecret(text)) missed.push(kind);
    }
  }
  expect(missed).toEqual([]);
});

it('screens for every rule of the library', () => {
  const names = rules.map(({ meta }) => meta.id.replace('@secretlint/secretlint-rule-', ''));
  expect(names.toSorted()).toEqual([
    '1password',
    'anthropic',
    'aws',
    'basicauth',
    'database-connection-string',
    'filter-comments',
    'gcp',
    'github',
    'linear',
    'npm',
    'openai',
    'privatekey',
    'sendgrid',
    'shopify',
    'slack',
  ]);
});

/** A secret counts as leaked if a quarter of it remains. */
function leaks(text: string, secret: string): boolean {
  const length = Math.max(6, Math.ceil(secret.length / 4));
  const plain = text.replaceAll('\n', '').replaceAll('\\n', '');
  for (let at = 0; at + length <= secret.length; at += 1) {
    if (plain.includes(secret.slice(at, at + length))) return true;
  }
  return false;
}

function table(rows: { kind: string; claimed: string; recall: number }[]): string {
  const lines = rows.map(
    ({ kind, claimed, recall }) =>
      `${kind.padEnd(28)} ${claimed.padEnd(8)} ${(recall * 100).toFixed(0).padStart(4)} %`,
  );
  return [`${'kind'.padEnd(28)} ${'by'.padEnd(8)} recall`, ...lines].join('\n');
}
