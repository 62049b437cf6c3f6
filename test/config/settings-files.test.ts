import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { envExample, settingsTable, variablesTable } from '../support/settings-text.ts';

// `npm run settings` writes both files from the table of settings.

it('keeps .env.example in sync with the table of settings', async () => {
  await expect(envExample()).toMatchFileSnapshot('../../.env.example');
});

it('keeps docs/configuration.md in sync with the table of settings', async () => {
  const tables = { settings: settingsTable(), variables: variablesTable() };
  const text = Object.entries(tables).reduce(
    (before, [name, table]) =>
      before.replace(
        new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- end -->)`),
        (_, start: string, end: string) => `${start}\n${table}\n${end}`,
      ),
    readFileSync('docs/configuration.md', 'utf8'),
  );
  await expect(text).toMatchFileSnapshot('../../docs/configuration.md');
});
