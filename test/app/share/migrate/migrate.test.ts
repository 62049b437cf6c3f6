import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runCli, runJson } from '../../../support/machines/cli.ts';
import {
  createSharingWorld,
  type SharingWorld,
  writeSession,
} from '../../../support/machines/sharing-world.ts';
import type { QdrantDouble } from '../../../support/qdrant/double/server.ts';
import { writeLegacyCollection } from '../../../support/qdrant/legacy-collection.ts';
import { startCheckedDouble } from '../../../support/qdrant/qdrant-place.ts';
import { line, toolPair, uuidOf } from '../../../support/transcripts/claude-transcripts.ts';

const IDS = Array.from({ length: 4 }, (_, at) => uuidOf(`session ${at}`));

async function openIn(
  world: SharingWorld,
  options: { env?: Record<string, string> } = {},
): Promise<string[]> {
  const { sessions } = await runJson(world, ['open'], options);
  return (sessions as { ideas: { content: string }[] }[]).flatMap(({ ideas }) =>
    ideas.map(({ content }) => content),
  );
}

describe('migrate', { timeout: 60_000 }, () => {
  let double: QdrantDouble;
  let atlas: SharingWorld;
  beforeEach(async () => {
    double = await startCheckedDouble();
    onTestFinished(() => double.close());
    atlas = createSharingWorld('atlas', double.url);
    for (const [at, id] of IDS.entries())
      writeSession(atlas, id, [line.user(`Mend the zebra number${at}`), line.assistant('It is mended.')]);
  });

  it('migrates everything to the server once, and continues where it was stopped', async () => {
    await runCli(atlas, ['index'], { env: { QDRANT_URL: '' } });
    let writes = 2;
    double.options.fault = ({ method, path }) => {
      if (method !== 'PUT' && !path.includes('/batch')) return null;
      writes -= path.includes('/points') ? 1 : 0;
      return writes < 0 ? { answer: 500, error: 'disk full' } : null;
    };
    const failed = await runCli(atlas, ['migrate', '--to', 'qdrant']);
    expect(failed.status).toBe(1);
    expect(failed.stderr).toContain('disk full');
    double.options.fault = () => null;
    expect(await runJson(atlas, ['migrate', '--to', 'qdrant'])).toMatchObject({
      found: 4,
      left: [],
      different: [],
      missingVectors: 0,
    });
    expect(await runJson(atlas, ['migrate', '--to', 'qdrant'])).toMatchObject({
      found: 4,
      copied: 0,
      same: 4,
      left: [],
    });
    expect(await runJson(atlas, ['stats'])).toMatchObject({ sessions: 4, chunks: 4, intents: 4 });
    expect((await runCli(atlas, ['migrate', '--to', 'qdrant'])).stdout).toContain('Verified');
  });

  it('counts each migrated session once: copied, already there in any copy, or left because it differs', async () => {
    await runJson(atlas, ['index']);
    const borea = createSharingWorld('borea', double.url);
    const alike = IDS.slice(0, 3);
    for (const [at, id] of alike.entries()) {
      const talk = [line.user(`Mend the zebra number${at}`), line.assistant('It is mended.')];
      writeSession(borea, id, talk, { cwd: at === 2 ? borea.repository : atlas.repository });
    }
    const [, , , other = ''] = IDS;
    writeSession(borea, other, [line.user('Something else altogether'), line.assistant('Done.')]);
    const own = uuidOf('of borea alone');
    writeSession(borea, own, [line.user('Feed the zebra'), line.assistant('It is fed.')]);
    await runCli(borea, ['index'], { env: { QDRANT_URL: '' } });
    const first = await runJson(borea, ['migrate', '--to', 'qdrant']);
    expect(first).toMatchObject({ found: 5, copied: 1, same: 3, left: [other], different: [] });
    const again = await runJson(borea, ['migrate', '--to', 'qdrant']);
    expect(again).toMatchObject({ found: 5, copied: 0, same: 4, left: [other], different: [] });
    expect((await runCli(borea, ['migrate', '--to', 'qdrant'])).stdout).toContain(
      '5 sessions found: 0 copied, 4 already there',
    );
  });

  it('migrates everything from the server to a machine, which then needs no server', async () => {
    await runCli(atlas, ['index']);
    const borea = createSharingWorld('borea', double.url);
    expect(await runJson(borea, ['migrate', '--to', 'embedded'])).toMatchObject({
      found: 4,
      copied: 4,
      different: [],
    });
    expect(await runJson(borea, ['migrate', '--to', 'embedded'])).toMatchObject({
      found: 4,
      copied: 0,
      same: 4,
    });
    const alone = { env: { QDRANT_URL: '' } };
    expect((await runJson(borea, ['search', 'number2'], alone)).results).toMatchObject([
      { session_id: IDS[2], machine: 'atlas' },
    ]);
    expect((await runCli(borea, ['retrieve', IDS[2] ?? ''], alone)).stdout).toContain('It is mended.');
  });

  it('migrates ideas to the server and from it', async () => {
    const alone = { env: { QDRANT_URL: '' } };
    const todos = [{ content: 'Paint the zebra', status: 'pending', activeForm: 'Painting' }];
    const lines = [
      line.user('Feed the zebra'),
      ...toolPair('TodoWrite', { todos }, 'ok'),
      line.assistant('Fed.'),
    ];
    writeSession(atlas, uuidOf('with a todo'), lines);
    await runCli(atlas, ['index'], alone);
    const [stats, open] = [await runJson(atlas, ['memory', 'stats'], alone), await openIn(atlas, alone)];
    expect(open).toEqual(['Paint the zebra']);
    await runJson(atlas, ['migrate', '--to', 'qdrant']);
    const borea = createSharingWorld('borea', double.url);
    expect(await openIn(borea)).toEqual(open);
    await runJson(borea, ['migrate', '--to', 'embedded']);
    expect(await openIn(borea, alone)).toEqual(open);
    expect(await runJson(borea, ['memory', 'stats'], alone)).toEqual(stats);
  });

  it('imports the Python program’s sessions, split and redacted from scratch', async () => {
    await writeLegacyCollection(double.url, 'old_sessions', [
      {
        id: 'legacy-one',
        chunks: [
          'USER: fix the valve\nASSISTANT: The valve is fixed.',
          'USER: and the pump\nASSISTANT: key AKIAIOSFODNN7EXAMPLQ',
        ],
        intents: ['fix the valve', 'and the pump'],
      },
    ]);
    const args = ['migrate', '--to', 'qdrant', '--from', 'old_sessions'];
    expect(await runJson(atlas, args)).toMatchObject({ found: 1, copied: 1, different: [] });
    expect(await runJson(atlas, args)).toMatchObject({ found: 1, copied: 0, same: 1 });
    const borea = createSharingWorld('borea', double.url);
    expect((await runJson(borea, ['search', 'valve'])).results).toMatchObject([
      { session_id: 'legacy-one', title: 'fix the valve', machine: 'DESKTOP' },
    ]);
    const { stdout } = await runCli(borea, ['retrieve', 'legacy-one']);
    expect(stdout).toContain('The valve is fixed.');
    expect(stdout).not.toContain('AKIAIOSFODNN7EXAMPLQ');
  });

  it('imports the Python program’s sessions with index, finds them offline, and sends nothing to its collection', async () => {
    await writeLegacyCollection(double.url, 'claude_sessions', [
      {
        id: 'old',
        chunks: ['USER: grease the flywheel\nASSISTANT: key AKIAIOSFODNN7EXAMPLQ'],
        intents: ['grease the flywheel'],
      },
    ]);
    const { server, imported } = await runJson(atlas, ['index']);
    expect(imported).toBe(1);
    expect(server).toMatchObject({
      waiting: 4,
      problems: [
        {
          message: expect.stringContaining('Python'),
          hint: expect.stringContaining('migrate --to qdrant --from claude_sessions'),
        },
      ],
    });
    expect(await runJson(atlas, ['index'])).not.toHaveProperty('imported');
    expect((await runJson(atlas, ['search', 'flywheel'])).notices).toContainEqual(
      expect.objectContaining({
        code: 'LEGACY_COLLECTION',
        hint: expect.stringContaining('smart-fork index imports'),
      }),
    );
    await double.close();
    const { results } = await runJson(atlas, ['search', 'flywheel']);
    expect(results).toMatchObject([{ session_id: 'old', machine: 'DESKTOP' }]);
    expect((await runCli(atlas, ['retrieve', 'old'])).stdout).not.toContain('AKIAIOSFODNN7EXAMPLQ');
  });

  it('reports that migrate needs a server', async () => {
    const { status, stderr } = await runCli(atlas, ['migrate', '--to', 'qdrant'], {
      env: { QDRANT_URL: '' },
    });
    expect(status).toBe(2);
    expect(stderr).toContain('QDRANT_URL');
  });
});
