import { expect, it } from 'vitest';
import { runCli, runJson } from '../support/machines/cli.ts';
import { createSharingWorld, writeSession } from '../support/machines/sharing-world.ts';
import { startCheckedDouble } from '../support/qdrant/qdrant-place.ts';
import { line, uuidOf } from '../support/transcripts/claude-transcripts.ts';

it('reports a shard without a node, searches only this machine, names the shard in status and doctor, and loses nothing', async () => {
  const double = await startCheckedDouble();
  try {
    const [atlas, borea] = ['atlas', 'borea'].map((name) => createSharingWorld(name, double.url));
    if (atlas === undefined || borea === undefined) throw new Error('there are two machines');
    for (const machine of [atlas, borea]) await runCli(machine, ['config', 'set', 'qdrant.shards', '3']);
    const ids = Array.from({ length: 6 }, (_, at) => uuidOf(`shard ${at}`));
    for (const [at, id] of ids.entries())
      writeSession(at < 3 ? atlas : borea, id, [
        line.user(`Mend the zebra number${at}`),
        line.assistant('It is mended.'),
      ]);
    for (const machine of [atlas, borea]) await runJson(machine, ['index', '--no-embed']);
    const search = async () => {
      const { results, notices } = await runJson(borea, ['search', 'zebra', '--limit', '10']);
      return {
        found: (results as { session_id: string }[]).map(({ session_id }) => session_id).sort(),
        notices: ((notices as { code: string; message: string }[] | undefined) ?? []).filter(
          ({ code }) => code !== 'KEYWORD_ONLY',
        ),
      };
    };
    expect(await search()).toEqual({ found: ids.toSorted(), notices: [] });
    double.collections.get('claude_sessions')?.shards.lost.add(1);
    const alone = await search();
    expect(alone.found).toEqual(ids.slice(3).toSorted());
    expect(alone.notices).toEqual([
      expect.objectContaining({ message: expect.stringContaining('only this machine’s sessions') }),
    ]);
    expect((await runCli(borea, ['status'])).stdout).toContain('3 shards');
    const doctor = await runCli(borea, ['doctor']);
    expect([doctor.status, doctor.stdout]).toEqual([
      1,
      expect.stringContaining('no node answers for 1 shard of 3'),
    ]);
    writeSession(borea, uuidOf('later'), [line.user('Feed the zebra'), line.assistant('It is fed.')]);
    await runCli(borea, ['index', '--no-embed']);
    double.collections.get('claude_sessions')?.shards.lost.clear();
    await runJson(borea, ['index', '--no-embed']);
    expect(await search()).toEqual({ found: [...ids, uuidOf('later')].toSorted(), notices: [] });
  } finally {
    await double.close();
  }
}, 60_000);
