import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, runJson } from '../support/machines/cli.ts';
import { sharedWorld } from '../support/machines/shared-world.ts';
import { createWorld } from '../support/machines/world.ts';
import {
  type LanguageModelDouble,
  startLanguageModelDouble,
} from '../support/models/language-model-double.ts';
import { line, stampLines, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const QUOTE = 'the lock is taken twice by the importer';
const KEY = 'sk-never-printed';
const [OLD, RECENT] = ['eeee6666-0000-4000-8000-000000000006', 'eeee7777-0000-4000-8000-000000000007'];

let server: LanguageModelDouble;
beforeAll(async () => {
  const ideas = [{ kind: 'problem', content: 'The importer deadlocks on its own lock', quote: QUOTE }];
  const summary = [{ sentence: 'The importer waits for a lock that it holds.', quote: QUOTE }];
  server = await startLanguageModelDouble(() => JSON.stringify({ ideas, summary }));
});
afterAll(() => server.close());

const world = sharedWorld((made) => {
  const write = (id: string, start: string) => {
    const lines = [
      line.user('Have a look at the importer.'),
      line.assistant(`The log of the run has it: ${QUOTE}. I go on.`),
      line.assistant('Done.'),
    ];
    writeClaude(made.claudeHome, id, stampLines(lines, { sessionId: id, start }));
  };
  write(OLD, '2025-01-01T09:00:00.000Z');
  write(RECENT, new Date(Date.now() - 86_400_000).toISOString());
  mkdirSync(made.home, { recursive: true });
});

function turnOn(): void {
  const memory = { extractor: 'endpoint', endpoint: server.url, model: 'small', api_key: KEY };
  writeFileSync(join(world().home, 'config.json'), JSON.stringify({ memory }));
}

it('asks no model unless enabled, then the worker only about recent sessions, and about others on request', async () => {
  await runCli(world(), ['index', '--no-embed']);
  await runCli(world(), ['worker', '--drain']);
  expect((await runCli(world(), ['memory', 'backfill', '--all', '--with-model', '--yes'])).stderr).toContain(
    'memory.extractor is off',
  );
  expect(server.requests).toHaveLength(0);

  turnOn();
  const drained = await runCli(world(), ['worker', '--drain']);
  expect(server.requests).toHaveLength(1);
  const status = await runCli(world(), ['status']);
  expect(status.stdout).toMatch(
    /Extractor\s+small, today 1 of 50 calls and 1,000 of 300,000 tokens: 2 findings/,
  );

  const asked = await runCli(world(), ['memory', 'backfill', '--all', '--with-model']);
  expect(asked.status).toBe(2);
  expect(asked.stdout).toContain('1 session to read with small');
  expect(server.requests).toHaveLength(1);

  const report = await runJson(world(), ['memory', 'backfill', '--all', '--with-model', '--yes']);
  expect(report).toMatchObject({ sessions: 1, calls: 1, ideas: 2, over_budget: false });
  expect(server.requests.every(({ authorization }) => authorization === `Bearer ${KEY}`)).toBe(true);

  const shown = await runCli(world(), ['recall', 'importer', 'deadlock']);
  expect(shown.stdout).toContain('The importer deadlocks on its own lock');
  expect(shown.stdout).toContain('noted by the model');
  const session = await runCli(world(), ['show', RECENT]);
  expect(session.stdout).toMatch(/Summary +\(written by the model\) The importer waits for a lock/);
  const { stdout: context } = await runCli(world(), ['retrieve', RECENT, '--summary']);
  expect(context).toContain(
    '- summary, turn 1: (written by the model) The importer waits for a lock that it holds.',
  );
  const config = await runCli(world(), ['config', 'list']);
  const printed = [drained, status, asked, shown, config].map(({ stdout, stderr }) => stdout + stderr);
  expect(printed.join('')).not.toContain(KEY);
});

it('sends the model nothing that is excluded or redacted by privacy rules newer than the index', async () => {
  const made = createWorld();
  const write = (id: string, cwd: string, text: string) =>
    writeClaude(
      made.claudeHome,
      id,
      stampLines([line.user('Look.'), line.assistant(text)], { sessionId: id, cwd }),
    );
  write(OLD, '/home/dev/secret-plans', 'The word is heliotrope.');
  write(RECENT, '/home/dev/widgets', 'The host is turbine.internal, as always.');
  await runCli(made, ['index', '--no-embed']);
  const memory = { extractor: 'endpoint', endpoint: server.url, model: 'small' };
  const privacy = {
    exclude: { paths: ['/home/dev/secret-plans'] },
    redact: [{ name: 'host', pattern: 'turbine\\.internal' }],
  };
  writeFileSync(join(made.home, 'config.json'), JSON.stringify({ memory, privacy }));
  const before = server.requests.length;
  const report = await runJson(made, ['memory', 'backfill', '--all', '--with-model', '--yes']);
  expect(report).toMatchObject({ sessions: 1, calls: 1 });
  const sent = server.requests
    .slice(before)
    .map(({ text }) => text)
    .join();
  expect(sent).toContain('as always');
  expect(sent).not.toMatch(/heliotrope|turbine/);
});
