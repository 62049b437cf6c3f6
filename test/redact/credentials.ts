/** Credentials that look real and never were: made of random characters when a test runs, so that none stands here. */
export interface FakeCredential {
  kind: string;
  /** Who is to find it: secretlint's rules, the issuers' prefixes, a telling name; `none` is only reported. */
  claimed: 'library' | 'issuer' | 'named' | 'none';
  /** A text that holds the secret, and the secret. */
  make(random: Random): { text: string; secret: string };
}

export interface Random {
  pick(alphabet: string, length: number): string;
  number(below: number): number;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const LETTERS = LOWER + LOWER.toUpperCase();
const ALNUM = LETTERS + DIGITS;
const URL_SAFE = `${ALNUM}_-`;
const BASE64 = `${ALNUM}+/`;

/** The same numbers for the same seed, on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const number = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return {
    number,
    pick: (alphabet, length) => Array.from({ length }, () => alphabet[number(alphabet.length)]).join(''),
  };
}

export const CREDENTIALS: FakeCredential[] = [
  token('library', 'GitHub personal', 'gh,p_', ALNUM, 36),
  token('library', 'GitHub OAuth', 'gh,o_', ALNUM, 36),
  token('library', 'GitHub user to server', 'gh,u_', ALNUM, 36),
  token('library', 'GitHub server to server', 'gh,s_', ALNUM, 36),
  token('library', 'GitHub refresh', 'gh,r_', ALNUM, 36),
  token('library', 'GitHub fine-grained', 'github,_pat_', ALNUM, 82),
  token('library', 'npm access', 'np,m_', ALNUM, 36),
  token('library', 'AWS access key id', 'AK,IA', LOWER.toUpperCase() + DIGITS, 16),
  token('library', 'AWS session key id', 'AS,IA', LOWER.toUpperCase() + DIGITS, 16),
  token('library', 'Shopify shop', 'shp,at_', HEX, 32),
  token('library', 'Shopify app secret', 'shp,ss_', HEX, 32),
  token('library', 'Linear API', 'lin_,api_', ALNUM, 40),
  token(
    'library',
    'Slack bot',
    'xo,xb-',
    DIGITS,
    12,
    ({ pick }) => `-${pick(DIGITS, 12)}-${pick(ALNUM, 24)}`,
  ),
  token('library', 'Slack user', 'xo,xp-', DIGITS, 12, ({ pick }) => `-${pick(DIGITS, 12)}-${pick(HEX, 32)}`),
  token(
    'library',
    'Slack app',
    'xa,pp-',
    '1',
    1,
    ({ pick }) => `-A${pick(DIGITS, 9)}-${pick(DIGITS, 13)}-${pick(HEX, 40)}`,
  ),
  token(
    'library',
    'Slack webhook',
    'https://hooks,.slack.com/services/T',
    DIGITS,
    9,
    ({ pick }) => `/B${pick(DIGITS, 9)}/${pick(ALNUM, 24)}`,
  ),
  token('library', 'OpenAI old', 's,k-', ALNUM, 20, ({ pick }) => `T3Blbk${'FJ'}${pick(ALNUM, 20)}`),
  token(
    'library',
    'OpenAI project',
    'sk-,proj-',
    URL_SAFE,
    74,
    ({ pick }) => `T3Blbk${'FJ'}${pick(ALNUM, 74)}`,
  ),
  token('library', 'Anthropic API', 'sk-,ant-api03-', URL_SAFE, 93, () => 'AA'),
  token('library', 'SendGrid', 'S,G.', ALNUM, 22, ({ pick }) => `.${pick(ALNUM, 43)}`),
  within(
    'library',
    'AWS secret key',
    (secret) => `aws_secret_access_key = ${secret}`,
    ({ pick }) => pick(ALNUM, 40),
  ),
  within(
    'library',
    'AWS secret in JSON',
    (secret) => `{"SecretAccessKey": "${secret}"}`,
    ({ pick }) => pick(BASE64, 39) + pick(ALNUM, 1),
  ),
  within(
    'library',
    'PostgreSQL address',
    (secret) => `postgres://app:${secret}@db.internal:5432/shop`,
    ({ pick }) => pick(ALNUM, 14),
  ),
  within(
    'library',
    'MySQL address',
    (secret) => `mysql://app:${secret}@10.0.0.7/shop`,
    ({ pick }) => pick(ALNUM, 14),
  ),
  within(
    'library',
    'MongoDB address',
    (secret) => `mongodb+srv://app:${secret}@cluster0.abc.mongodb.net/x`,
    ({ pick }) => pick(ALNUM, 14),
  ),
  within(
    'library',
    'basic authentication',
    (secret) => `curl https://deploy:${secret}@repo.acme.io/x.tgz`,
    ({ pick }) => pick(ALNUM, 18),
  ),
  within(
    'library',
    'RSA private key',
    (secret) => pem('RSA PRIVATE', secret),
    ({ pick }) => `MI${pick(BASE64, 798)}`,
  ),
  within(
    'library',
    'OpenSSH private key',
    (secret) => pem('OPENSSH PRIVATE', secret),
    ({ pick }) => `b3BlbnNzaC1rZXktdjE${pick(BASE64, 400)}`,
  ),
  within(
    'library',
    'PKCS#8 key in JSON',
    (secret) => JSON.stringify({ private_key: pem('PRIVATE', secret) }),
    ({ pick }) => `MI${pick(BASE64, 798)}`,
  ),
  within(
    'issuer',
    'encrypted private key',
    (secret) => pem('ENCRYPTED PRIVATE', secret),
    ({ pick }) => pick(BASE64, 800),
  ),
  within(
    'issuer',
    'private key cut off',
    (secret) => pem('EC PRIVATE', secret).split('-----END')[0] ?? '',
    ({ pick }) => pick(BASE64, 160),
  ),
  token('issuer', 'Stripe live', 'sk,_live_', ALNUM, 24),
  token('issuer', 'Stripe restricted', 'rk,_live_', ALNUM, 99),
  token('issuer', 'Stripe webhook', 'wh,sec_', ALNUM, 32),
  token('issuer', 'GitLab personal', 'gl,pat-', URL_SAFE, 19, ({ pick }) => pick(ALNUM, 1)),
  token('issuer', 'GitLab runner', 'gl,rt-', ALNUM, 20),
  token('issuer', 'Google API', 'AI,za', ALNUM, 35),
  token('issuer', 'Google OAuth secret', 'GOC,SPX-', ALNUM, 28),
  token('issuer', 'Google OAuth access', 'ya,29.', ALNUM, 120),
  token('issuer', 'Hugging Face', 'h,f_', LETTERS, 34),
  token('issuer', 'Replicate', 'r,8_', ALNUM, 37),
  token('issuer', 'Groq', 'gs,k_', ALNUM, 52),
  token('issuer', 'xAI', 'xa,i-', ALNUM, 80),
  token('issuer', 'Perplexity', 'pp,lx-', ALNUM, 48),
  token('issuer', 'OpenRouter', 'sk-,or-v1-', HEX, 64),
  token('issuer', 'Anthropic OAuth', 'sk-,ant-oat01-', ALNUM, 95),
  token('issuer', 'LangSmith', 'lsv2,_pt_', HEX, 32, ({ pick }) => `_${pick(HEX, 10)}`),
  token('issuer', 'Pinecone', 'pc,sk_', ALNUM, 70),
  token('issuer', 'DigitalOcean', 'do,p_v1_', HEX, 64),
  token('issuer', 'PyPI', 'py,pi-AgEIcHlwaS5vcmc', ALNUM, 120),
  token('issuer', 'RubyGems', 'ruby,gems_', HEX, 48),
  token('issuer', 'Docker Hub', 'dckr,_pat_', ALNUM, 27),
  token('issuer', 'Vault', 'hv,s.', ALNUM, 90),
  token('issuer', 'Terraform Cloud', '', ALNUM, 14, ({ pick }) => `.atlas${'v1.'}${pick(ALNUM, 67)}`),
  token('issuer', 'Pulumi', 'pu,l-', HEX, 40),
  token('issuer', 'Databricks', 'da,pi', HEX, 32),
  token('issuer', 'Grafana', 'gl,sa_', ALNUM, 32, ({ pick }) => `_${pick(HEX, 8)}`),
  token('issuer', 'New Relic', 'NR,AK-', LOWER.toUpperCase() + DIGITS, 27),
  token('issuer', 'Sentry', 'snt,ryu_', HEX, 64),
  token('issuer', 'Postman', 'PM,AK-', HEX, 24, ({ pick }) => `-${pick(HEX, 34)}`),
  token('issuer', 'PlanetScale', 'pscale,_tkn_', ALNUM, 43),
  token('issuer', 'Supabase', 'sb,p_', HEX, 40),
  token('issuer', 'Doppler', 'dp.,pt.', ALNUM, 43),
  token('issuer', 'Netlify', 'nf,p_', ALNUM, 36),
  token('issuer', 'Notion', 'nt,n_', ALNUM, 46),
  token('issuer', 'Figma', 'fi,gd_', ALNUM, 40),
  token('issuer', 'Atlassian', 'AT,ATT3', ALNUM, 186),
  token('issuer', 'Airtable', 'pa,t', ALNUM, 14, ({ pick }) => `.${pick(HEX, 64)}`),
  token('issuer', 'Square', 'sq,0atp-', ALNUM, 22),
  token('issuer', 'Brevo', 'xkey,sib-', HEX, 64, ({ pick }) => `-${pick(ALNUM, 16)}`),
  token('issuer', 'Mailgun', 'ke,y-', HEX, 32),
  token('issuer', 'Mailchimp', '', HEX, 32, () => '-us12'),
  token('issuer', 'Twilio', 'S,K', HEX, 32),
  token('issuer', 'Telegram bot', '', '123456789', 10, ({ pick }) => `:A${'A'}${pick(ALNUM, 33)}`),
  token(
    'issuer',
    'Discord webhook',
    'https://discord,.com/api/webhooks/',
    DIGITS,
    18,
    ({ pick }) => `/${pick(ALNUM, 68)}`,
  ),
  token('issuer', 'Tailscale', 'ts,key-auth-', ALNUM, 12, ({ pick }) => `-${pick(ALNUM, 32)}`),
  token('issuer', 'CircleCI', 'CCI,PAT_', ALNUM, 22, ({ pick }) => `_${pick(HEX, 40)}`),
  token('issuer', 'Azure client secret', '', ALNUM, 3, ({ pick }) => `8${'Q~'}${pick(ALNUM, 34)}`),
  token('issuer', 'age key', 'AGE-,SECRET-KEY-1', LOWER.toUpperCase() + DIGITS, 58),
  token(
    'issuer',
    'JSON web token',
    'e,yJ',
    ALNUM,
    33,
    ({ pick }) => `.ey${'J'}${pick(ALNUM, 60)}.${pick(URL_SAFE, 42)}x`,
  ),
  within('named', 'password in an assignment', (secret) => `export DB_PASSWORD='${secret}'`, password),
  within('named', 'password in YAML', (secret) => `  password: ${secret}\n  port: 5432`, password),
  within('named', 'password as an option', (secret) => `mysqldump --password=${secret} shop`, password),
  within('named', 'password in XML', (secret) => `<password>${secret}</password>`, password),
  within(
    'named',
    'API key in JSON',
    (secret) => `{"api_key": "${secret}"}`,
    ({ pick }) => pick(ALNUM, 32),
  ),
  within(
    'named',
    'API key in escaped JSON',
    (secret) => `"{\\"apiKey\\": \\"${secret}\\"}"`,
    ({ pick }) => pick(ALNUM, 32),
  ),
  within(
    'named',
    'API key header',
    (secret) => `curl -H "X-Api-Key: ${secret}" api.acme.io`,
    ({ pick }) => pick(HEX, 40),
  ),
  within(
    'named',
    'bearer header',
    (secret) => `-H 'Authorization: Bearer ${secret}'`,
    ({ pick }) => pick(ALNUM, 43),
  ),
  within(
    'named',
    'basic header',
    (secret) => `Authorization: Basic ${secret}`,
    ({ pick }) => btoa(`deploy:${pick(ALNUM, 20)}`),
  ),
  within(
    'named',
    'client secret',
    (secret) => `client_secret=${secret}&grant_type=x`,
    ({ pick }) => pick(URL_SAFE, 39) + pick(ALNUM, 1),
  ),
  within(
    'named',
    'access token in an address',
    (secret) => `https://api.acme.io/v1?access_token=${secret}`,
    ({ pick }) => pick(ALNUM, 36),
  ),
  within('named', 'npmrc token', (secret) => `//registry.acme.io/:_authToken=${secret}`, uuid),
  within(
    'named',
    'Django secret',
    (secret) => `SECRET_KEY = '${secret}'`,
    ({ pick }) => `${pick(`${ALNUM}#!^*+`, 49)}7`,
  ),
  within(
    'named',
    'Azure storage',
    (secret) => `AccountName=acme;AccountKey=${secret};Suffix=x`,
    ({ pick }) => `${pick(BASE64, 86)}==`,
  ),
  within(
    'named',
    'Azure shared access',
    (secret) => `https://acme.blob.net/c?sp=r&sig=${secret}`,
    ({ pick }) => `${pick(ALNUM, 43)}%3D`,
  ),
  within(
    'named',
    'Datadog',
    (secret) => `DD_API_KEY=${secret}`,
    ({ pick }) => pick(HEX, 32),
  ),
  within('named', 'Heroku UUID', (secret) => `HEROKU_API_KEY: ${secret}`, uuid),
  within(
    'named',
    'said in prose',
    (secret) => `The token is ${secret}, use it.`,
    ({ pick }) => pick(ALNUM, 32),
  ),
  within(
    'none',
    'a bare random word',
    (secret) => `try ${secret} instead`,
    ({ pick }) => pick(ALNUM, 32),
  ),
  within(
    'none',
    'a weak password',
    (secret) => `password: ${secret}`,
    ({ pick }) => pick(LOWER, 10),
  ),
  within('none', 'a password in prose', (secret) => `log in as admin with ${secret}`, password),
];

function token(
  claimed: FakeCredential['claimed'],
  kind: string,
  prefix: string,
  alphabet: string,
  length: number,
  rest: (random: Random) => string = () => '',
): FakeCredential {
  const begin = prefix.split(',').join('');
  return {
    kind,
    claimed,
    make(random) {
      const secret = begin + random.pick(alphabet, length) + rest(random);
      const around = [
        `use ${secret} for it`,
        `X="${secret}"`,
        `- ${secret}\n- other`,
        `\`${secret}\`, please`,
      ];
      return { secret, text: around[random.number(around.length)] ?? secret };
    },
  };
}

function within(
  claimed: FakeCredential['claimed'],
  kind: string,
  around: (secret: string) => string,
  make: (random: Random) => string,
): FakeCredential {
  return {
    kind,
    claimed,
    make(random) {
      const secret = make(random);
      return { secret, text: around(secret) };
    },
  };
}

function password({ pick, number }: Random): string {
  const parts = [
    pick(LOWER, 3),
    pick(LOWER.toUpperCase(), 3),
    pick(DIGITS, 3),
    pick('!%^*_-+.', 1),
    pick(ALNUM, 3),
  ];
  return [...parts.slice(number(3)), ...parts].join('').slice(0, 14);
}

function uuid({ pick }: Random): string {
  return [8, 4, 4, 4, 12].map((length) => pick(HEX, length)).join('-');
}

function pem(type: string, key: string): string {
  const lines = key.match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${type} KEY-----`, ...lines, `-----END ${type} KEY-----`].join('\n');
}
