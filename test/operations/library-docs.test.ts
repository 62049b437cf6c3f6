import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/operations/all-operations.ts';
import type { Field, Fields } from '../../src/operations/fields.ts';
import { filters } from '../../src/operations/filters.ts';
import { claudeLines, createWorld, type World } from '../support/machines/mcp-world.ts';
import { uuidOf } from '../support/transcripts/claude-transcripts.ts';

// `npm run operations` writes the table of docs/library.md from the operations.

const PAGE = readFileSync('docs/library.md', 'utf8');

it('keeps docs/library.md in sync with the operations', async () => {
  const text = PAGE.replace(
    /(<!-- operations -->\n)[\s\S]*?(\n<!-- end -->)/,
    `$1\n${operationsTable()}\n$2`,
  );
  await expect(text).toMatchFileSnapshot('../../docs/library.md');
});

function operationsTable(): string {
  const rows = Object.entries(OPERATIONS).map(
    ([name, { summary, fields }]) => `| \`${name}\` | ${summary} | ${fieldsText(fields)} |`,
  );
  return ['| method | what it does | input |', '|---|---|---|', ...rows].join('\n');
}

function fieldsText(fields: Fields): string {
  const names = Object.keys(fields);
  const hasFilters = Object.keys(filters).every((name) => names.includes(name));
  const own = Object.entries(fields).filter(([name]) => !hasFilters || !Object.hasOwn(filters, name));
  const texts = own.map(([name, field]) => `\`${name}\` (${fieldText(field)})`);
  return [...texts, ...(hasFilters ? ['filters'] : [])].join(', ') || '–';
}

function fieldText(field: Field): string {
  const { type } = field;
  const of = type === 'list' ? field.of : field;
  const kind = of.type === 'choice' ? of.values.join(', ') : type === 'list' ? 'list' : type;
  const max = type === 'number' && field.max !== undefined ? `, at most ${field.max}` : '';
  const standard = 'default' in field && field.default !== undefined ? `, default ${field.default}` : '';
  return `${field.required === true ? 'required ' : ''}${kind}${max}${standard}`;
}

describe('an example of docs/library.md', () => {
  let world: World;
  beforeAll(() => {
    world = createWorld({ samples: false });
    const id = uuidOf('queue');
    world.transcript(
      id,
      claudeLines(id, world.project, [
        { user: 'How long is the retry delay of the queue?' },
        { assistant: 'We decided on a retry delay of 30 seconds for the queue.' },
      ]),
    );
    mkdirSync(join(world.project, 'node_modules'));
    symlinkSync(resolve('.'), join(world.project, 'node_modules', 'smart-fork'), 'junction');
  });
  afterAll(() => world.remove());

  const examples = [...PAGE.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code);

  it.each(examples.map((code, at) => [at + 1, code] as const))('runs: %i', (at, code) => {
    const file = join(world.project, `example-${at}.mjs`);
    writeFileSync(file, code);
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
      cwd: world.project,
      env: world.env,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).not.toBe('');
    expect(stdout).toMatchSnapshot();
  });
});
