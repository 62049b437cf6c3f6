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
