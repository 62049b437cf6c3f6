import { expect, it } from 'vitest';
import { createRedactor } from '../../../src/adapters/secretlint/create-redactor.ts';
import { ALNUM, seededRandom } from './fake-credential.ts';

/** Ways in which settings, programs, commands and prose assign a value to a name. */
const SHAPES: readonly ((value: string) => string)[] = [
  (value) => `docker run -d -e ACME_TOKEN=${value} -p 80:80 acme/web:2`,
  (value) => `acme:\n  host: api.acme.io\n  api_key: "${value}"\n  retries: 3`,
  (value) => `acme:\n  secret_key: >-\n    ${value}\n  region: eu`,
  (value) => `env:\n- name: ACME_TOKEN\n  value: "${value}"\n- name: TZ\n  value: UTC`,
  (value) => `{"environment":[{"name":"ACME_SECRET_KEY","value":"${value}"}]}`,
  (value) => `<add key="AcmeApiKey" value="${value}" />`,
  (value) => `<key>ACME_TOKEN</key>\n<string>${value}</string>`,
  (value) => `variable "acme_token" {\n  type    = string\n  default = "${value}"\n}`,
  (value) => `region       = "eu"\nsecret_key         =  "${value}"`,
  (value) => `acme_secret = (\n    "${value}"\n)`,
  (value) => `let acmeToken: String = "${value}"`,
  (value) => `const ACME_API_KEY: &str = "${value}";`,
  (value) => `val acmeSecret: Option[String] = Some("${value}")`,
  (value) => `my $api_key = q(${value});`,
  (value) => `client.setApiKey("${value}");`,
  (value) => `os.Setenv("ACME_SECRET_KEY", "${value}")`,
  (value) => `headers.append('Authorization', 'Bearer ${value}')`,
  (value) => `const acmeKey = "${value}";`,
  (value) => `(def cfg {:api-key "${value}" :retries 3})`,
  (value) => `Content-Disposition: form-data; name="acme_token"\r\n\r\n${value}\r\n--x--`,
  (value) => `aws ssm put-parameter --name /prod/acme/token --value ${value} --type SecureString`,
  (value) => `machine api.acme.io\nlogin deploy\npassword ${value}\n`,
  (value) => `| name | value |\n|---|---|\n| \`ACME_API_KEY\` | \`${value}\` |`,
  (value) => `key,value\nACME_SECRET_KEY,${value}\nTZ,UTC`,
  (value) => `The acme API key is ${value}, please put it into the vault.`,
  (value) => JSON.stringify({ r: JSON.stringify({ stdout: JSON.stringify({ acmeApiKey: value }) }) }),
  (value) => `acme_secret = "${value.slice(0, 24)}" +\n    "${value.slice(24)}"`,
];

it('redacts a random value in all syntaxes of settings, programs, commands and prose', async () => {
  const values = Array.from({ length: 20 }, (_, seed) => seededRandom(seed + 1).pick(ALNUM, 32));
  expect(await missedBy(SHAPES.flatMap((shape) => values.map((value) => [shape(value), value])))).toEqual([]);
});

/** Passwords in commands, and secrets that a heading, a list, a colour or another language sets apart from their name. */
const PLACES: readonly ((value: string) => string)[] = [
  (value) => `redis-cli -h cache.acme.io -a ${value} ping`,
  (value) => `mongosh --host db -u admin -p '${value}' --authenticationDatabase admin`,
  (value) => `sqlcmd -S tcp:db -U sa -P ${value} -Q "select 1"`,
  (value) => `ldapsearch -x -D cn=admin,dc=acme -w ${value} -b dc=acme`,
  (value) => `unzip -P ${value} backup.zip && 7z x -p${value} backup.7z`,
  (value) => `htpasswd -bB users.txt admin ${value}`,
  (value) => `az login --service-principal -u 8c0e -p ${value} --tenant x`,
  (value) => `curl -sSu "admin:${value}" https://x; curl --proxy-user me:${value} https://x`,
  (value) => JSON.stringify({ command: `curl -u "admin:${value}" https://x` }),
  (value) => `http -a admin:${value} GET api.acme.io`,
  (value) => `smbclient //srv/share -U me%${value}; lftp -u me,${value} ftp.acme.io`,
  (value) => `echo "${value}" | docker login -u me --password-stdin`,
  (value) => `echo '${value}' | sudo -S apt update; echo "deploy:${value}" | chpasswd`,
  (value) => `printf '%s' '${value}' | gh secret set DEPLOY; gh secret set OTHER --body "${value}"`,
  (value) => `kubectl create secret generic db --from-literal=value=${value}`,
  (value) => `ConvertTo-SecureString "${value}" -AsPlainText -Force`,
  (value) => `::add-mask::${value}`,
  (value) => `curl -H Authorization:Bearer\\ ${value}`,
  (value) => `\x1b[01;31m\x1b[KACME_TOKEN\x1b[m\x1b[K=\x1b[32m${value}\x1b[0m`,
  (value) => `\x1b[34;1m"api_key"\x1b[0m\x1b[1;39m:\x1b[0;32m"${value}"\x1b[0m`,
  (value) => `<input name=&quot;api_key&quot; value=&quot;${value}&quot;>`,
  (value) => `| user | password |\n|---|---|\n| admin | ${value} |`,
  (value) => ` id | name | api_key\n----+------+--------\n  1 | acme | ${value}\n(1 row)`,
  (value) => `id,name,api_key\r\n1,acme,${value}\r\n2,other,${value}\r\n`,
  (value) => `api_keys:\n  - ${value}\n  - ${value}x\nregion: eu`,
  (value) => `"tokens": ["${value}", "${value}x"], 'X-Auth-Token': ['${value}']`,
  (value) => `API_KEYS=${value},${value}x`,
  (value) => `{'api_key': b'${value}'}`,
  (value) => `[Peer]\nPresharedKey = ${value}\nJWT_SALT=${value}`,
  (value) => `Passwort: ${value}\nmot de passe : ${value}\ncontraseña: ${value}\nпароль: ${value}`,
  (value) => `パスワード: ${value}\n密码：${value}\npassword：${value}`,
  (value) => `sqlplus system/${value}@//db:1521/XE; cypher-shell -u neo4j -p ${value} "RETURN 1"`,
  (value) => `rabbitmqctl add_user deploy ${value}; ipmitool -H x -U admin -P ${value} power status`,
  (value) =>
    `keytool -genkey -keypass ${value} -storepass ${value}; ssh-keygen -t ed25519 -N '${value}' -f key`,
  (value) => `openssl enc -aes-256-cbc -k ${value} -in a; xfreerdp /v:host /u:me /p:${value}`,
  (value) => `net use Z: \\\\srv\\x /user:dom\\me ${value}\nwpa_passphrase Office ${value}`,
  (value) => `npx supabase secrets set OPENAI=${value}; pulumi config set --secret dbPassword ${value}`,
  (value) => `aws secretsmanager create-secret --name x --secret-string ${value}`,
  (value) => `gh auth login --with-token <<< ${value}`,
  (value) => `requests.get(url, auth=("admin", "${value}")); HTTPBasicAuth('admin', '${value}')`,
  (value) => `request(app).get('/').auth('admin', '${value}'); await client.login("me@acme.io", "${value}")`,
  (value) => `page.getByLabel('Password').fill('${value}'); cy.get('input[name=password]').type('${value}')`,
  (value) => `driver.find_element(By.ID, "password").send_keys("${value}")`,
  (value) => JSON.stringify({ fields: [{ name: 'Password', type: 'textbox', ref: 'e12', value }] }),
  (value) => JSON.stringify({ element: 'Password field', ref: 'e12', text: value }),
  (value) => `const token = process.env.TOKEN || "${value}"; const pass = env.DB_PASS ?? '${value}'`,
  (value) => `{"user":"x","pw":"${value}"}\n[wifi]\npsk "${value}"`,
  (value) => `=== app Config Vars\nACME_API_KEY:         ${value}\nPORT:  1`,
  (value) => `**Password:** ${value}\n- Password — \`${value}\``,
  (value) => `<string name="api_key">${value}</string> <tr><th>Password</th><td>${value}</td></tr>`,
  (value) =>
    `┌───────┬──────────┐\n│ user  │ password │\n├───────┼──────────┤\n│ admin │ ${value} │\n└───────┘`,
  (value) => `https://api.acme.io/geo?q=x&appid=${value}&key=${value}`,
];

it('redacts a password in commands, tables, lists, colours and other languages', async () => {
  const values = Array.from({ length: 10 }, (_, seed) => `7aB${seededRandom(seed + 1).pick(ALNUM, 20)}`);
  expect(await missedBy(PLACES.flatMap((place) => values.map((value) => [place(value), value])))).toEqual([]);
});

it('redacts secrets that only what stands beside them shows', async () => {
  const { pick } = seededRandom(9);
  const [base64, upper, hex] = [`${ALNUM}+/`, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', '0123456789abcdef'];
  const [id, aws, salt, key] = [
    `AKIA${pick(upper, 16)}`,
    `7aB${pick(base64, 37)}`,
    pick(`${ALNUM}|! `, 64),
    pick(base64, 128),
  ];
  const [ntlm, signature] = [pick(hex, 32), pick(hex, 64)];
  const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  const gutter = (text: string, at: number) => `  ${at + 1} | ${text}`;
  const pem = [
    `-----BEGIN ${'RSA PRIVATE'} KEY-----`,
    key.slice(0, 64),
    key.slice(64),
    '-----END RSA PRIVATE KEY-----',
  ];
  const cases: [string, string][] = [
    [`Access key ID,Secret access key\n${id},${aws}`, aws],
    [`AWS Access Key ID [None]: ${id}\nAWS Secret Access Key [None]: ${aws}\n`, aws],
    [`define('NONCE_SALT',       '${salt}');`, salt],
    [`mnemonic: "${words}"`, words],
    [`Administrator:500:${pick(hex, 32)}:${ntlm}:::`, ntlm],
    [`https://b.s3.amazonaws.com/k?X-Amz-Expires=3600&X-Amz-Signature=${signature}`, signature],
    [pem.map(gutter).join('\r\n'), key],
  ];
  expect(await missedBy(cases)).toEqual([]);
});

it('redacts values after a key’s name that are short, or only digits, or only letters', async () => {
  const values = ['6hLdrXd2fIE5xG', '7mYGfpp90ALQ6', '9844224634492538957097824', 'xfEWZpXxLsJmpmaMJZJQ'];
  expect(await missedBy(values.map((value) => [`ACME_API_KEY=${value}`, value]))).toEqual([]);
});

it('redacts Laravel tokens, and Teams and Zapier webhook URLs', async () => {
  const { pick } = seededRandom(7);
  const laravel = `53|${pick(ALNUM, 40)}`;
  const teams = `acme.webhook.office.com/webhookb2/${pick(ALNUM, 36)}@${pick(ALNUM, 36)}/IncomingWebhook/${pick(ALNUM, 32)}`;
  const zapier = `hooks.zapier.com/hooks/catch/123456/${pick(ALNUM, 12)}`;
  expect(await missedBy([laravel, teams, zapier].map((secret) => [`see ${secret} there`, secret]))).toEqual(
    [],
  );
});
it('leaves the next property alone, which does not continue the value', async () => {
  const value = seededRandom(3).pick(ALNUM, 32);
  const text = `{\n  "api_key": "${value}",\n  "password": "${value}"\n  "repository": "acme/web"\n}`;
  const [redacted] = await createRedactor().redact([{ text }]);
  expect(redacted?.text).not.toContain(value);
  expect(redacted?.text).toContain('"repository": "acme/web"');
});

/** The texts in which at least a quarter of the secret is left. */
async function missedBy(cases: (readonly [text: string, secret: string])[]): Promise<string[]> {
  const redactions = await createRedactor().redact(cases.map(([text]) => ({ text })));
  return redactions
    .map(({ text }) => text)
    .filter((text, at) => {
      const secret = cases[at]?.[1] ?? '';
      const length = Math.ceil(secret.length / 4);
      return Array.from({ length: secret.length - length }, (_, from) =>
        secret.slice(from, from + length),
      ).some((piece) => text.includes(piece));
    });
}
