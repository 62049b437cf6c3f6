import { expect, it } from 'vitest';
import { createRedactor } from '../../../src/adapters/secretlint/create-redactor.ts';
import {
  ALNUM,
  BASE64,
  DIGITS,
  HEX,
  LOWER,
  type Random,
  seededRandom,
  URL_SAFE,
  uuid,
} from './fake-credential.ts';

const UPPER = LOWER.toUpperCase() + DIGITS;
const LOWER_DIGITS = LOWER + DIGITS;

type Make = (random: Random) => [before: string, secret: string, after?: string];
const after =
  (prefix: string, alphabet: string, length: number): Make =>
  ({ pick }) => [prefix, pick(alphabet, length)];

/** As issuers document them; the values are random. */
const SHAPES: Record<string, Make> = {
  DeepSeek: after('sk-', HEX, 32),
  NVIDIA: after('nvapi-', URL_SAFE, 64),
  Jina: after('jina_', ALNUM, 60),
  E2B: after('e2b_', HEX, 40),
  Langfuse: (random) => ['sk-lf-', uuid(random)],
  Cerebras: after('csk-', LOWER_DIGITS, 48),
  ElevenLabs: after('sk_', HEX, 48),
  Vercel: after('vcp_', ALNUM, 56),
  'Google refresh token': after('1//0', URL_SAFE, 60),
  'Google API key': after('AQ.Ab8', URL_SAFE, 48),
  'Azure DevOps': ({ pick }) => [
    '',
    `${pick(ALNUM, 52)}JQQJ99${pick(ALNUM, 14)}AZDO${pick(ALNUM, 8)}`.slice(0, 84),
  ],
  'age, post-quantum': after('AGE-SECRET-KEY-PQ-1', UPPER, 58),
  'Discord bot': ({ pick }) => ['', `M${pick(ALNUM, 25)}.${pick(ALNUM, 6)}.${pick(URL_SAFE, 38)}`],
  Resend: ({ pick }) => [`re_${pick(ALNUM, 8)}_`, pick(ALNUM, 24)],
  Asana: ({ pick }) => [`2/${pick(DIGITS, 16)}/${pick(DIGITS, 16)}:`, pick(HEX, 32)],
  Dropbox: after('sl.u.', URL_SAFE, 140),
  NuGet: after('oy2', LOWER_DIGITS, 43),
  Plaid: (random) => ['access-production-', uuid(random)],
  'an issuer that no table knows': after('acme_live_', ALNUM, 44),
  'a cookie': ({ pick }) => ['Cookie: theme=dark; session=', pick(ALNUM, 64), '; lang=en'],
  'a signed cookie': ({ pick }) => [
    'Set-Cookie: connect.sid=s%3A',
    `${pick(ALNUM, 32)}.${pick(ALNUM, 43)}`,
    '; Path=/',
  ],
  'a JSON Web Key': ({ pick }) => ['{"kty":"EC","crv":"P-256","d":"', pick(URL_SAFE, 43), '"}'],
  'a Kubernetes secret': ({ pick }) => ['kind: Secret\ndata:\n  conn: ', pick(BASE64, 40)],
  'a PuTTY key': ({ pick }) => [
    'PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n',
    pick(BASE64, 48),
    '\nPrivate-MAC: x',
  ],
  'a key in a setting': ({ pick }) => ['DD_APP_KEY=', pick(HEX, 40)],
  'a Laravel key': ({ pick }) => ['APP_KEY=base64:', `${pick(BASE64, 43)}=`],
  'a Go data source': ({ pick }) => ['root:', `${pick(ALNUM, 13)}7aB`, '@tcp(127.0.0.1:3306)/db'],
  'an access token in a setting': ({ pick }) => ['AZURE_DEVOPS_EXT_PAT=', pick(LOWER_DIGITS, 52)],
  'Base64 of settings': ({ pick }) => ['data: ', btoa(`api_token=${pick(ALNUM, 40)}7a\nport=1\n`)],
  'Base64 of a key file': ({ pick }) => [
    'key: ',
    btoa(`${'-----BEGIN'} OPENSSH PRIVATE KEY-----\n${pick(BASE64, 70)}\n${pick(BASE64, 70)}\n`),
  ],
  'New Relic': after('NRII-', URL_SAFE, 32),
  Appwrite: after('standard_', HEX, 256),
  'Browser Use': after('bu_', URL_SAFE, 43),
  'Cal.com': after('cal_live_', HEX, 32),
  Coder: ({ pick }) => ['coder_', `${pick(ALNUM, 10)}-${pick(ALNUM, 22)}`],
  Context7: (random) => ['ctx7sk-', uuid(random)],
  Daytona: after('dtn_', HEX, 64),
  Depot: after('depot_project_', HEX, 64),
  Dub: after('dub_', ALNUM, 24),
  Fauna: after('fnAE', URL_SAFE, 36),
  n8n: after('n8n_api_', HEX, 80),
  'Octopus Deploy': after('API-', UPPER, 32),
  Portainer: ({ pick }) => ['ptr_', `${pick(BASE64, 43)}=`],
  Rancher: ({ pick }) => [`token-${pick(LOWER_DIGITS, 5)}:`, pick(LOWER_DIGITS, 54)],
  Retool: after('retool_01', LOWER_DIGITS, 30),
  Temporal: ({ pick }) => [`tmprl_${pick(ALNUM, 32)}_`, pick(ALNUM, 43)],
  VK: after('vk1.a.', URL_SAFE, 190),
};

const PLACES: Record<string, (text: string) => string> = {
  'alone on a line': (text) => `done\n${text}\nend`,
  'in an added line': (text) =>
    text
      .split('\n')
      .map((line) => `+${line}`)
      .join('\n'),
  'in JSON': (text) => JSON.stringify({ output: `done\n${text}\n` }),
};

it('leaves no 12 characters of a credential in a documented shape', async () => {
  const redactor = createRedactor();
  const left: string[] = [];
  for (const [at, [kind, make]] of Object.entries(SHAPES).entries())
    for (let seed = 0; seed < 10; seed += 1)
      for (const [place, put] of Object.entries(PLACES)) {
        const [before, secret, rest = ''] = make(seededRandom(at * 1009 + seed));
        const [redaction] = await redactor.redact([{ text: put(before + secret + rest) }]);
        if (hasPart(redaction?.text ?? '', secret)) left.push(`${kind}, ${place}`);
      }
  expect(left).toEqual([]);
});

it('keeps ids, digests and names that resemble tokens', async () => {
  const { pick } = seededRandom(7);
  const texts = [
    `toolu_01${pick(ALNUM, 22)}`,
    `sha512-${pick(BASE64, 86)}==`,
    `dist/assets/index-${pick(ALNUM, 8)}.js`,
    `worktree-agent-${pick(HEX, 40)}`,
    'sk-learn-pipelines-for-classification-and-regression',
    'key_of_the_object_that_is_read_from_the_cache',
    `cache_key: ${pick(HEX, 64)}`,
    'sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'Cookie: theme=dark; consent=analytics-and-marketing',
    btoa('This is a sentence that somebody encoded without any secret.'),
  ];
  const redactions = await createRedactor().redact(texts.map((text) => ({ text })));
  expect(redactions.map(({ text }) => text)).toEqual(texts);
});

function hasPart(text: string, secret: string): boolean {
  for (let at = 0; at + 12 <= secret.length; at += 1)
    if (text.includes(secret.slice(at, at + 12))) return true;
  return false;
}
