import { expect, it } from 'vitest';
import { createRedactor } from '../../../src/adapters/secretlint/create-redactor.ts';
import { secretIn } from '../../../src/adapters/secretlint/find-by-gitleaks.ts';
import { GITLEAKS_RULES } from '../../../src/adapters/secretlint/gitleaks-rules.ts';
import { entropy, isPlaceholder } from '../../../src/adapters/secretlint/looks-secret.ts';
import { rounds } from '../../support/campaign.ts';
import { CREDENTIALS } from './credentials.ts';
import {
  ALNUM,
  BASE64,
  DIGITS,
  type FakeCredential,
  pem,
  type Random,
  seededRandom,
  within,
} from './fake-credential.ts';
import { randomMatch } from './random-match.ts';

const SAMPLES = rounds({ quick: 1, slow: 20 });
const escaped = (text: string) => JSON.stringify(text).slice(1, -1);
const eachLine = (mark: (at: number) => string) => (text: string) =>
  text
    .split('\n')
    .map((line, at) => `${mark(at + 1)}${line}`)
    .join('\n');

/** Places in which secrets occur in transcripts. */
const CONTEXTS: Record<string, (text: string) => string> = {
  'on its own': (text) => text,
  'in a file that was read': (text) => `$ cat .env\nNODE_ENV=production\n${text}\nPORT=3000`,
  'in JSON': (text) => JSON.stringify({ type: 'tool_result', content: text }),
  'in JSON in JSON': (text) => JSON.stringify({ content: JSON.stringify({ stdout: text }) }),
  'in an added line': eachLine(() => '+'),
  'in a removed line': eachLine(() => '-'),
  'behind line numbers': eachLine((at) => `${String(at).padStart(6)}→`),
  'behind grep -n': eachLine((at) => `config/app.env:${at}:`),
  'in a quotation': eachLine(() => '> '),
  'in a sentence': (text) => `I found this in the log: ${text}\nPlease rotate it.`,
  'in Markdown': (text) => `\`\`\`sh\n${text}\n\`\`\``,
};

const random = (make: (random: Random) => string, around: (secret: string) => string, kind: string) =>
  within('named', kind, around, make);
const value = ({ pick }: Random) => `${pick(ALNUM, 7)}!${pick(ALNUM, 7)}7aB`;
const base64 =
  (length: number) =>
  ({ pick }: Random) =>
    `${pick(BASE64, length - 3)}7aB`;

const MORE: FakeCredential[] = [
  random(
    ({ pick }) => pick('0123456789abcdef', 128),
    (secret) => `SECRET_KEY_BASE=${secret}`,
    'SECRET_KEY_BASE',
  ),
  random(
    ({ pick }) => `7a${pick(ALNUM, 30)}`,
    (secret) => `process.env.VENDOR_API_KEY ??= '${secret}'`,
    'an assignment of a default',
  ),
  random(
    ({ pick }) => pick('0123456789abcdef', 40),
    (secret) => `curl -u ${secret}: https://ci.acme.io/api/v1.1/me`,
    'a token as the name of a login',
  ),
  random(
    ({ pick }) => pick('0123456789abcdef', 34),
    (secret) => `java -jar cli.jar -s https://ci.acme.io/ -auth sam:${secret} list-jobs`,
    '-auth',
  ),
  random(value, (secret) => `CREATE USER 'report'@'%' IDENTIFIED BY '${secret}';`, 'IDENTIFIED BY'),
  random(
    ({ pick }) => `${pick(ALNUM, 44)}AzFu${pick(ALNUM, 5)}Q==`,
    (secret) => `POST https://fn.azurewebsites.net/api/resize?code=${secret} -> 202`,
    'an Azure function key',
  ),
  random(
    ({ pick }) => pick('0123456789abcdef', 32),
    (secret) => `-H 'Ocp-Apim-Subscription-Key: ${secret}'`,
    'a subscription key',
  ),
  random(
    ({ pick }) => `dummy${pick(ALNUM, 9)}7aB`,
    (secret) => `postgres://app:${secret}@db.example.com/prod`,
    'a password like a placeholder',
  ),
  random(value, (secret) => `network={ ssid="office" psk="${secret}" }`, 'psk'),
  random(value, (secret) => `DB_PASS=${secret}`, 'DB_PASS'),
  random(value, (secret) => `SMTP_PASS="${secret}"`, 'SMTP_PASS'),
  random(value, (secret) => `auth: { user: 'mail', pass: '${secret}' }`, 'pass in an object'),
  random(base64(700), (secret) => `api_key = "${secret}"`, 'a quoted value of 700 characters'),
  random(
    ({ pick }) => `${pick(ALNUM, 12)}AAAAAA${pick(ALNUM, 12)}7a`,
    (secret) => `token=${secret}`,
    'six equal characters',
  ),
  random(
    ({ pick }) => `${pick('123456789', 10)}:A${'A'}${pick(ALNUM, 33)}`,
    (secret) => `curl https://api.telegram.org/bot${secret}/getMe`,
    'a Telegram address',
  ),
  random(
    ({ pick }) => btoa(`deploy:${pick(ALNUM, 24)}7a`),
    (secret) => `{"auths":{"r.acme.io":{"auth":"${secret}"}}}`,
    'docker auth',
  ),
  random(
    ({ pick }) => btoa(`deploy:${pick(ALNUM, 24)}7a`),
    (secret) => `//npm.acme.io/:_auth=${secret}`,
    'npm _auth',
  ),
  random(base64(1600), (secret) => `    client-key-data: ${secret}`, 'kubeconfig key data'),
  random(value, (secret) => `db.internal:5432:shop:app:${secret}`, '.pgpass'),
  random(
    ({ pick }) => `${pick(ALNUM, 36)}7aB`,
    (secret) => `git clone https://${secret}@git.acme.io/x.git`,
    'a token as login',
  ),
  random(
    base64(800),
    (secret) => pem('PGP PRIVATE', secret).replaceAll(' KEY-----', ' KEY BLOCK-----'),
    'PGP private key',
  ),
  random(base64(800), (secret) => pem('RSA PRIVATE', secret), 'PEM private key'),
  random(
    base64(800),
    (secret) => pem('RSA PRIVATE', secret).split('-----END')[0] ?? '',
    'PEM private key cut off',
  ),
  random(
    ({ pick }) => `${pick(DIGITS, 10)}-${pick(DIGITS, 13)}-${pick(ALNUM, 40).toLowerCase()}`,
    (secret) => `xa${'pp'}-1-A${secret}`,
    'Slack app level',
  ),
];

/** Credentials that gitleaks finds, generated from its own patterns. */
const OF_GITLEAKS: FakeCredential[] = GITLEAKS_RULES.map(([id, , least, group, pattern]) => ({
  kind: `gitleaks ${id}`,
  claimed: 'issuer',
  make(given) {
    for (let tries = 0; ; tries += 1) {
      const { text, groups } = randomMatch(pattern, given);
      const secret = secretIn([text, ...groups], group);
      if (tries > 50 || (entropy(secret) >= least && !isPlaceholder(secret) && secret.length >= 8))
        return { text, secret };
    }
  },
}));

it('finds many kinds of credentials in the places where transcripts contain them', {
  timeout: 600_000,
}, async () => {
  const redactor = createRedactor();
  const kinds = [...CREDENTIALS.filter(({ claimed }) => claimed !== 'none'), ...MORE, ...OF_GITLEAKS];
  const lost = new Map<string, string[]>();
  let [tried, found] = [0, 0];
  for (const [index, { kind, make }] of kinds.entries()) {
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const { text, secret } = make(seededRandom(index * 1009 + sample * 7919 + 1));
      const places = Object.entries(CONTEXTS);
      const redactions = await redactor.redact(places.map(([, put]) => ({ text: put(text) })));
      for (const [at, [place]] of places.entries()) {
        tried += 1;
        if (remains(redactions[at]?.text ?? '', secret)) lost.set(kind, [...(lost.get(kind) ?? []), place]);
        else found += 1;
      }
    }
  }
  const rows = [...lost].map(
    ([kind, places]) => `${kind}: ${places.length} of ${SAMPLES * 11}, ${[...new Set(places)].join(', ')}`,
  );
  console.log(
    `${kinds.length} kinds, ${tried} texts, recall ${(found / tried).toFixed(4)}\n${rows.join('\n')}`,
  );
  expect(kinds.length).toBeGreaterThanOrEqual(90);
  expect(found / tried).toBeGreaterThanOrEqual(0.98);
});

/** Beginnings of what the rules look for. */
const SLOW = [
  'kind: Secret data: ',
  'Cookie: a=b; ',
  '"kty" "d":"',
  'sk-',
  'b.logic.azure.com/a?',
  'PuTTY-User-Key-File-2 Private-Lines: 4\n+',
  'LS0tLS1CRUdJTi\n',
  'x_key=',
  '-aB3',
];

it('scans texts with thousands of key beginnings or endings in linear time', {
  timeout: 120_000,
}, async () => {
  const ends = `AAAA\n${'-----END'} PRIVATE KEY-----\n`;
  const begins = `${'-----BEGIN'} RSA PRIVATE KEY-----\n${'A'.repeat(45)}\n`;
  for (const one of [
    ends,
    begins,
    'adafruit=',
    '"auth',
    'https://aaaaaaaaaaaaaaaaaaaaaa',
    'a:12:b:',
    ...SLOW,
  ]) {
    const text = one.repeat(Math.ceil(1_000_000 / one.length));
    const started = performance.now();
    await createRedactor().redact([{ text }]);
    expect(performance.now() - started, one).toBeLessThan(10_000);
  }
});

/** Whether a quarter of the secret is readable. */
function remains(text: string, secret: string): boolean {
  const length = Math.max(6, Math.ceil(secret.length / 4));
  const seen = text.replace(/\[REDACTED:[a-z0-9-]+\]/g, ' ');
  for (const whole of [secret, escaped(secret), escaped(escaped(secret))])
    for (let at = 0; at + length <= whole.length; at += 1)
      if (seen.includes(whole.slice(at, at + length))) return true;
  return false;
}
