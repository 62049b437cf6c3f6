import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { type ForgetDependencies, forgetSessions } from '../../../src/app/privacy/forget-sessions.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import { copiesOf, filesWith } from '../../support/files/home-files.ts';
import { runCli, runJson } from '../../support/machines/cli.ts';
import { createWorld, openWorld, type World } from '../../support/machines/world.ts';
import { releaseDatabases } from '../../support/stores/release-databases.ts';
import { line, uuidOf, writeClaude } from '../../support/transcripts/claude-transcripts.ts';

const ID = uuidOf('forgotten');
const WORD = 'zebrafish';

/** A machine with one indexed and archived session, whose transcript the agent has deleted. */
async function setUp(): Promise<{ world: World; parts: Parts }> {
  const world = createWorld();
  const path = writeClaude(world.claudeHome, ID, [line.user(`feed the ${WORD}`), line.assistant('Fed.')]);
  await runJson(world, ['index', '--no-embed', '--archive']);
  await releaseDatabases();
  expect(copiesOf(world, ID).length).toBeGreaterThan(1);
  rmSync(path);
  return { world, parts: await openWorld(world) };
}

async function dependenciesOf(parts: Parts): Promise<ForgetDependencies> {
  const [store, state] = [await parts.store(), parts.state()];
  return { ...parts, store, state, localId: (id) => id, now: parts.machine.now };
}

let onKill = (): void => undefined;
/** The point at which the process is killed: never returns. */
const killed = () => {
  onKill();
  return new Promise<never>(() => undefined);
};

/** The steps of `forget`, with a kill before or after each. */
const KILLS: Record<string, (deps: ForgetDependencies, world: World) => ForgetDependencies> = {
  'before the archive is touched': (deps) => ({ ...deps, archive: { remove: killed } }),
  'between an archived manifest and its parts': (deps, world) => ({
    ...deps,
    archive: {
      remove: async () => {
        rmSync(join(world.home, 'archive', ID, 'manifest.json'));
        return killed();
      },
    },
  }),
  'after the archive': (deps) => ({ ...deps, store: { deleteSessions: killed } }),
  'after the index': (deps) => ({
    ...deps,
    store: { deleteSessions: (ids) => deps.store.deleteSessions(ids).then(killed) },
  }),
  'before the notes of what was read': (deps) => ({
    ...deps,
    contexts: {
      removeOf: () => {
        throw new Error('killed');
      },
    },
  }),
};

describe('an interrupted forget', { timeout: 120_000 }, () => {
  it.each(Object.keys(KILLS))('completes a forget that was killed %s at the next index', async (when) => {
    const isKilled = new Promise<void>((resolve) => {
      onKill = resolve;
    });
    const { world, parts } = await setUp();
    const deps = KILLS[when]?.(await dependenciesOf(parts), world);
    const forgetting = deps === undefined ? Promise.resolve() : forgetSessions(deps, [ID]);
    await Promise.race([forgetting.catch(() => undefined), isKilled]);
    await parts.close();
    await runJson(world, ['index', '--no-embed']);
    expect(copiesOf(world, ID)).toEqual([]);
    expect(await filesWith(world, WORD)).toEqual([]);
    expect((await runCli(world, ['restore', ID])).status).toBe(1);
  });

  it('completes it for a session whose record is damaged', async () => {
    const { world, parts } = await setUp();
    parts.state().noteForgotten([ID], '2026-07-01T00:00:00.000Z', null);
    await parts.close();
    const path = join(world.home, 'index.db');
    const database = openDatabase(path);
    database.exec("UPDATE sessions SET payload = 'x' || payload");
    database.close();
    await runJson(world, ['index', '--no-embed']);
    expect(await filesWith(world, WORD)).toEqual([]);
  });

  it('can repeat a forget for a session that only the archive still has', async () => {
    const { world, parts } = await setUp();
    // An older version deleted in this order.
    await (await parts.store()).deleteSessions([ID]);
    await parts.close();
    expect(await runJson(world, ['forget', ID, '--yes'])).toEqual({ forgotten: [ID] });
    expect(copiesOf(world, ID)).toEqual([]);
    expect(await filesWith(world, WORD)).toEqual([]);
  });
});

describe('forget', { timeout: 120_000 }, () => {
  it('does not report a session as forgotten if its archive is unreadable', async () => {
    const { world, parts } = await setUp();
    await parts.close();
    rmSync(join(world.home, 'archive'), { recursive: true });
    symlinkSync('archive', join(world.home, 'archive'));
    const { status, stdout, stderr } = await runCli(world, ['forget', ID, '--yes']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('cannot look into the archive');
    expect(stderr.replace(/\s+/g, ' ')).toContain('it may have a copy that was not removed');
    expect(await runJson(world, ['sessions'])).toMatchObject({ sessions: [{ session_id: ID }] });
  });

  it('leaves no forgotten text in the databases, even if another process has them open', async () => {
    const { world, parts } = await setUp();
    expect(await filesWith(world, WORD)).toContain('state.db');
    const open = await parts.store();
    expect([(await open.count()).sessions, parts.state().forgotten()]).toEqual([1, []]);
    await runJson(world, ['forget', ID, '--yes']);
    expect(await filesWith(world, WORD)).toEqual([]);
  });

  it('completes a forget at the next index if another process was reading', async () => {
    const { world, parts } = await setUp();
    await parts.close();
    const reader = openDatabase(join(world.home, 'index.db'));
    onTestFinished(() => reader.close());
    reader.exec('BEGIN; SELECT count(*) FROM sessions');
    await runJson(world, ['forget', ID, '--yes']);
    // In the file itself, or in its write-ahead log.
    expect(await filesWith(world, WORD)).toContainEqual(expect.stringMatching(/^index\.db/));
    reader.exec('ROLLBACK');
    await runJson(world, ['index', '--no-embed']);
    expect(await filesWith(world, WORD)).toEqual([]);
  });

  it('removes context files written for agents, and leftovers of killed processes', async () => {
    const { world, parts } = await setUp();
    await parts.close();
    parts.contexts.write(ID, `the ${WORD}`);
    mkdirSync(join(world.home, 'tmp', '999999999-abc'), { recursive: true });
    writeFileSync(join(world.home, 'tmp', '999999999-abc', `${ID}.jsonl`), `the ${WORD}`);
    await runJson(world, ['forget', ID, '--yes']);
    expect(await filesWith(world, WORD)).toEqual([]);
  });
});
