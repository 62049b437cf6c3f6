import { expect, it } from 'vitest';
import { OPERATIONS } from '../../src/operations/all-operations.ts';
import type { Field, Fields } from '../../src/operations/fields.ts';
import {
  fieldsOfCommand,
  fieldsOfRoute,
  fieldsOfTool,
  type Offered,
} from '../support/doors/offered-fields.ts';
import { ABSENT, DIFFERENCES, DOORS, NAMES } from './doors.ts';

// Every operation at every door, field by field. Each difference from the operation's definition has a reason in doors.ts.

it('offers every operation at every door, or says why not', () => {
  const missing = Object.keys(OPERATIONS).flatMap((name) =>
    (['cli', 'mcp', 'http'] as const)
      .filter((door) => DOORS[name]?.[door] === undefined)
      .map((door) => `${name} ${door}`),
  );
  expect(missing.sort()).toEqual(Object.keys(ABSENT).sort());
});

it('offers the same fields at every door: name, type, values, limits and default, or says why not', async () => {
  const found: string[] = [];
  for (const [name, { fields }] of Object.entries(OPERATIONS)) {
    const { cli, mcp, http = [] } = DOORS[name] ?? {};
    if (cli !== undefined)
      found.push(...differences(`${name} cli`, fields, 'cli', await fieldsOfCommand(cli)));
    if (mcp !== undefined) found.push(...differences(`${name} mcp`, fields, 'mcp', fieldsOfTool(mcp)));
    for (const route of http)
      found.push(...differences(`${name} http`, fields, 'http', await fieldsOfRoute(route)));
  }
  const general = found.map((one) => one.replace(/^\w+/, '*'));
  const unexplained = found.filter(
    (one, at) => (DIFFERENCES[one] ?? DIFFERENCES[general[at] ?? '']) === undefined,
  );
  expect(unexplained, 'differences without a reason in test/operations/doors.ts').toEqual([]);
  expect(Object.keys(DIFFERENCES).filter((one) => ![...found, ...general].includes(one))).toEqual([]);
});

function differences(
  where: string,
  fields: Fields,
  door: 'cli' | 'mcp' | 'http',
  offered: Map<string, Offered>,
): string[] {
  const [operation = ''] = where.split(' ');
  const named = new Map(
    Object.keys(fields).map((field) => [
      NAMES[`${operation}.${field} ${door}`] ??
        NAMES[`${field} ${door}`] ??
        (door === 'cli' ? field.replaceAll('_', '-') : field),
      field,
    ]),
  );
  const absent = [...named]
    .filter(([name]) => !offered.has(name))
    .map(([, field]) => `${where}: no ${field}`);
  const own = [...offered.keys()]
    .filter((name) => !named.has(name) && !isAlias(name, fields))
    .map((name) => `${where}: only here ${name}`);
  const other = [...named].flatMap(([name, field]) => {
    const [definition, here] = [fields[field], offered.get(name)];
    if (definition === undefined || here === undefined) return [];
    return unlike(definition, here).map((text) => `${where}: ${field} ${text}`);
  });
  return [...absent, ...own, ...other];
}

/** Another name of a text that the operation accepts. */
function isAlias(name: string, fields: Fields): boolean {
  return Object.entries(fields).some(
    ([own, field]) =>
      field.type === 'text' && field.also !== undefined && (name === field.also || name === own),
  );
}

function unlike(field: Field, here: Offered): string[] {
  const of = field.type === 'list' ? field.of : field;
  const type = { text: 'text', choice: 'text', flag: 'flag', number: 'number' }[of.type];
  const isSameType =
    here.type === type ||
    (field.type === 'list' && ['list', 'words'].includes(here.type)) ||
    here.type === 'words';
  const values = of.type === 'choice' ? [...of.values].sort().join() : undefined;
  const [min, max] = field.type === 'number' ? [field.min, field.max] : [];
  const standard = 'default' in field ? field.default : undefined;
  return [
    ...(isSameType ? [] : [`is ${here.type}`]),
    ...(values === here.values?.toSorted().join() ? [] : [`takes ${here.values?.toSorted().join()}`]),
    ...(field.type !== 'number' || here.min === min ? [] : [`from ${here.min}`]),
    ...(field.type !== 'number' || here.max === max ? [] : [`to ${here.max}`]),
    ...(here.default === standard ? [] : [`defaults to ${here.default}`]),
  ];
}
