import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCli, runJson } from '../support/machines/cli.ts';
import { createSharingWorld, writeSession } from '../support/machines/sharing-world.ts';
import { startLanguageModelDouble } from '../support/models/language-model-double.ts';
import { startCheckedDouble } from '../support/qdrant/qdrant-place.ts';
import { received } from '../support/qdrant/received.ts';
import { line, uuidOf } from '../support/transcripts/claude-transcripts.ts';

const ID = uuidOf('read by a model');
const QUOTE = 'the giraffe importer takes its lock twice';
const IDEA = 'The importer deadlocks on a lock that it holds already';
const PASSPHRASE = { SMART_FORK_PASSPHRASE: 'four words for nobody' };

it.each(['off', 'on'])(
  'finds a model’s ideas on another machine, and forgets them there too (encryption %s)',
  { timeout: 60_000 },
  async (encryption) => {
    const double = await startCheckedDouble();
    onTestFinished(() => double.close());
    const model = await startLanguageModelDouble(() =>
      JSON.stringify({ ideas: [{ kind: 'problem', content: IDEA, quote: QUOTE }] }),
    );
    onTestFinished(() => model.close());
    const env = { SMART_FORK_ENCRYPTION: encryption };
    const [atlas, borea] = ['atlas', 'borea'].map((name) => createSharingWorld(name, double.url, env));
    if (atlas === undefined || borea === undefined) throw new Error('two machines');
    if (encryption === 'on') {
      await runCli(atlas, ['key', 'create'], { env: PASSPHRASE });
      const { stdout: key } = await runCli(atlas, ['key', 'export']);
      expect(await runCli(borea, ['key', 'import'], { input: key })).toMatchObject({ status: 0 });
    }
    const found = async () => {
      const answer = await runCli(borea, ['recall', 'importer', 'deadlock', '--json']);
      return answer.stdout.split(IDEA).length - 1;
    };

    writeSession(atlas, ID, [
      line.user('Look at the importer'),
      line.assistant(`The log has it: ${QUOTE}. I go on.`),
    ]);
    expect(await runJson(atlas, ['index'])).toMatchObject({ server: { waiting: 0, problems: [] } });
    expect(await found()).toBe(0);
    const memory = { extractor: 'endpoint', endpoint: model.url, model: 'small' };
    writeFileSync(join(atlas.home, 'config.json'), JSON.stringify({ memory }));
    const backfill = ['memory', 'backfill', '--all', '--with-model', '--yes'];
    expect(await runJson(atlas, backfill)).toMatchObject({ calls: 1, ideas: 1 });
    expect(await runJson(atlas, ['index'])).toMatchObject({ server: { waiting: 0, problems: [] } });

    expect(await found()).toBeGreaterThan(0);
    const all = received(double);
    for (const word of ['deadlocks', 'giraffe'])
      expect([word, all.includes(word)]).toEqual([word, encryption === 'off']);

    expect(await runJson(atlas, ['forget', ID, '--yes'])).toEqual({ forgotten: [ID] });
    expect(await runJson(atlas, ['index'])).toMatchObject({ server: { waiting: 0, problems: [] } });
    expect(await found()).toBe(0);
  },
);
