import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { rounds } from '../../support/campaign.ts';
import { copiesOf, filesWith } from '../../support/files/home-files.ts';
import { cliEnvironment, runCli, runJson } from '../../support/machines/cli.ts';
import { type Connection, connect } from '../../support/machines/mcp-world.ts';
import { createWorld, type World } from '../../support/machines/world.ts';
import { line, uuidOf, writeClaude } from '../../support/transcripts/claude-transcripts.ts';

const KILLS = rounds({ quick: 3, slow: 60 });
const KEPT = uuidOf('kept');

interface Subject {
  id: string;
  word: string;
  path: string;
  bytes: Buffer;
  /** The agent has deleted the transcript, so only smart-fork has the text. */
  isDeleted: boolean;
}

it(
  `leaves a session whole or removes every byte of it although forget was killed ${KILLS} times next to an MCP server`,
  async () => {
    const world = createWorld();
    const kept = writeClaude(world.claudeHome, KEPT, [line.user('keep the okapi'), line.assistant('Kept.')]);
    const server = await startServer(world);
    // Kills are concentrated around the moment from which `forget` cannot be undone, however busy the machine is.
    let aim = 300;
    let subject = await addSession(world, '0');
    const counts = { whole: 0, 'completed by the next index': 0, 'removed before the kill': 0 };
    for (let session = 1, kills = 0; kills < KILLS; ) {
      await read(server, subject);
      const isKilled = await forgetOne(world, subject, aim * (0.75 + 0.5 * Math.random()));
      if (isKilled) kills += 1;
      const wasLeft = copiesOf(world, subject.id).length + (await filesWith(world, subject.word)).length > 0;
      await runJson(world, ['index', '--no-embed', '--archive']);
      const isListed = (await listedIds(world)).includes(subject.id);
      if (isKilled && isListed) {
        await expectWhole(world, server, subject);
        counts.whole += 1;
        aim *= 1.1;
        continue;
      }
      await expectGone(world, server, subject);
      aim *= 0.93;
      if (isKilled) counts[wasLeft ? 'completed by the next index' : 'removed before the kill'] += 1;
      else expect([isListed, wasLeft]).toEqual([false, false]);
      subject = await addSession(world, String(session));
      session += 1;
    }
    console.log(`${KILLS} kills of forget, the last after ${Math.round(aim)} ms:`, counts);
    const bytes = readFileSync(kept);
    rmSync(kept);
    await expectRestored(world, KEPT, bytes);
    expect(server.log()).not.toMatch(/Error/);
  },
  KILLS * 30_000 + 120_000,
);

async function startServer(world: World): Promise<Connection> {
  const env = Object.entries(cliEnvironment(world)).filter(
    (one): one is [string, string] => one[1] !== undefined,
  );
  const server = await connect(Object.fromEntries(env), world.folder, {});
  onTestFinished(() => server.close());
  return server;
}

async function addSession(world: World, name: string): Promise<Subject> {
  const [id, word] = [uuidOf(`forgotten ${name}`), `zebrafish${uuidOf(name).replaceAll('-', '')}`];
  const turns = Array.from({ length: 40 }, (_, turn) => [
    line.user(`feed the ${word} for the ${turn}th time`),
    line.assistant(`The ${word} has eaten ${turn} times.`),
  ]);
  const path = writeClaude(world.claudeHome, id, turns.flat());
  await runJson(world, ['index', '--no-embed', '--archive']);
  expect(copiesOf(world, id).length).toBeGreaterThan(1);
  expect(await filesWith(world, word)).not.toEqual([]);
  const [bytes, isDeleted] = [readFileSync(path), Math.random() < 0.5];
  if (isDeleted) rmSync(path);
  return { id, word, path, bytes, isDeleted };
}

/** Runs `forget` in its own process and kills it after some time. False if it ended before. */
async function forgetOne(world: World, { id }: Subject, killAfter: number): Promise<boolean> {
  const ended = new AbortController();
  const { signal } = await runCli(world, ['forget', id, '--yes'], {
    onStart: (child) => {
      sleep(killAfter, null, ended).then(
        () => child.kill('SIGKILL'),
        () => undefined,
      );
    },
  });
  ended.abort();
  return signal === 'SIGKILL';
}

/** The server reads the session from both databases and writes its context. */
async function read(server: Connection, { id }: Subject): Promise<void> {
  const { isError, text } = await server.call('get_session_context', { session_id: id });
  expect(isError, text).toBe(false);
}

async function listedIds(world: World): Promise<string[]> {
  const { sessions } = await runJson(world, ['sessions', '--limit', '100']);
  return (sessions as { session_id: string }[]).map(({ session_id }) => session_id);
}

async function expectWhole(world: World, server: Connection, subject: Subject): Promise<void> {
  await read(server, subject);
  expect(copiesOf(world, subject.id).length).toBeGreaterThan(1);
  if (!subject.isDeleted) return;
  await expectRestored(world, subject.id, subject.bytes);
}

async function expectRestored(world: World, id: string, bytes: Buffer): Promise<void> {
  const { path } = await runJson(world, ['restore', id]);
  expect(readFileSync(String(path))).toEqual(bytes);
  rmSync(String(path));
}

async function expectGone(world: World, server: Connection, { id, word, path, isDeleted }: Subject) {
  expect(copiesOf(world, id)).toEqual([]);
  expect(await filesWith(world, word)).toEqual([]);
  expect((await runCli(world, ['restore', id])).status).not.toBe(0);
  expect(existsSync(path)).toBe(!isDeleted);
  // The transcript itself belongs to the agent; the server reads nothing from it either.
  const { isError } = await server.call('get_session_context', { session_id: id });
  expect(isError).toBe(true);
  expect(await filesWith(world, word)).toEqual([]);
}
