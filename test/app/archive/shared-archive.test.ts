import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { sha } from '../../support/machines/archive-place.ts';
import { runCli, runJson } from '../../support/machines/cli.ts';
import { createWorld as createMcpWorld } from '../../support/machines/mcp-world.ts';
import { createSharingWorld, type SharingWorld, writeSession } from '../../support/machines/sharing-world.ts';
import { archiveOf, transcriptOn } from '../../support/qdrant/archive-points.ts';
import type { QdrantDouble } from '../../support/qdrant/double/server.ts';
import { startCheckedDouble } from '../../support/qdrant/qdrant-place.ts';
import { received } from '../../support/qdrant/received.ts';
import {
  jsonl,
  line,
  sampleLines,
  stampLines,
  uuidOf,
} from '../../support/transcripts/claude-transcripts.ts';
import {
  SESSION_ID as CODEX_ID,
  codexText,
  legacySession,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';

const ID = uuidOf('shared session');
const SECRET = ['ghp', 'Zk3Qw9Lm2Rt7Yx5Bv8Nc4Hd6Jf1Ps0Ga2Ue3'].join('_');

describe('transcripts archived on a server', { timeout: 60_000 }, () => {
  let double: QdrantDouble;
  let atlas: SharingWorld;
  let borea: SharingWorld;
  beforeEach(async () => {
    double = await startCheckedDouble();
    onTestFinished(() => double.close());
    atlas = createSharingWorld('atlas', double.url);
    borea = createSharingWorld('borea', double.url);
  });
  const index = async (world: SharingWorld) =>
    expect(await runJson(world, ['index'])).toMatchObject({ server: { waiting: 0, problems: [] } });
  const restore = (world: SharingWorld, id = ID) =>
    runJson(world, ['restore', id], { cwd: world.repository });
  const hashOf = (path: unknown) => sha(readFileSync(String(path)));

  it('restores a transcript on another machine byte for byte, with the native commands', async () => {
    const path = writeSession(atlas, ID, sampleLines());
    await index(atlas);
    const { results } = await runJson(borea, ['search', 'naïve']);
    expect(results).toMatchObject([
      {
        session_id: ID,
        local: false,
        restorable: true,
        fork_command: expect.stringContaining('smart-fork restore'),
      },
    ]);
    const restored = await restore(borea);
    expect(restored).toMatchObject({
      state: 'restored',
      redacted: 0,
      notes: [],
      from: expect.stringContaining(double.url),
      fork_command: expect.stringMatching(/claude --resume .* --fork-session/),
    });
    expect(String(restored.path)).toContain(borea.claudeHome);
    expect(hashOf(restored.path)).toBe(hashOf(path));
    expect(await restore(borea)).toMatchObject({ state: 'unchanged' });
    // The restored transcript belongs to the same session, from the same machine.
    await index(borea);
    expect((await runJson(atlas, ['sessions'])).sessions).toMatchObject([
      { session_id: ID, machine: 'atlas' },
    ]);
    expect((await runJson(borea, ['stats'])).server).toMatchObject({
      archive: { sessions: 1, bytes: readFileSync(path).length, stored_bytes: expect.any(Number) },
    });
  });

  it('restores a Codex transcript, also automatically for a fork', async () => {
    const path = writeCodex(atlas.codexHome, CODEX_ID, codexText(legacySession()).replace('me:token@', ''));
    await index(atlas);
    const forked = await runJson(borea, ['fork', CODEX_ID, '--print'], { cwd: borea.repository });
    expect(JSON.stringify(forked)).toContain('codex fork');
    const restored = await restore(borea, CODEX_ID);
    expect(String(restored.path)).toContain(borea.codexHome);
    expect(hashOf(restored.path)).toBe(hashOf(path));
  });

  it('redacts secrets and private text before sending, keeps every line valid JSON, and reports it on restore', async () => {
    const path = writeSession(atlas, ID, [
      line.user(`Use ${SECRET} to push. <private>It is my aunt’s.</private>`),
      line.assistant('Pushed the zebra.'),
    ]);
    await index(atlas);
    const there = transcriptOn(double, ID).toString();
    expect(there).toContain('[REDACTED:github]');
    for (const word of [SECRET, 'aunt']) {
      expect(there).not.toContain(word);
      expect(received(double)).not.toContain(word.toLowerCase());
    }
    const restored = await restore(borea);
    expect(restored).toMatchObject({
      state: 'restored',
      redacted: 2,
      notes: [expect.stringContaining('2 secrets and private passages')],
    });
    expect(hashOf(restored.path)).toBe(sha(Buffer.from(there)));
    const lines = there.trimEnd().split('\n');
    expect(lines).toHaveLength(readFileSync(path, 'utf8').trimEnd().split('\n').length);
    for (const text of lines) expect(JSON.parse(text)).toMatchObject({ sessionId: ID });
    // The original transcript is unchanged on its own machine.
    expect((await runCli(atlas, ['restore', ID])).stdout).toContain('the transcript is already there');
  });

  it('replaces a transcript that contains only the beginning once another machine has continued it', async () => {
    const path = writeSession(atlas, ID, sampleLines());
    await index(atlas);
    const copy = String((await restore(borea)).path);
    const more = [line.user('and the giraffes?'), line.assistant('Fed.')];
    appendFileSync(copy, jsonl(stampLines(more, { sessionId: ID, cwd: borea.repository, after: 50 })));
    await index(borea);
    expect(await runJson(atlas, ['show', ID])).toMatchObject({ local: true, longer_on: 'borea' });
    expect((await runCli(atlas, ['show', ID])).stdout).toContain('borea continued this session');
    expect(await restore(atlas)).toMatchObject({
      state: 'replaced',
      from: expect.stringContaining(double.url),
      path,
    });
    expect(hashOf(path)).toBe(hashOf(copy));
    expect(await runJson(atlas, ['show', ID])).toMatchObject({ longer_on: null });
  });

  it('restores a transcript automatically for an agent that forks through the MCP server', async () => {
    writeSession(atlas, ID, sampleLines());
    await index(atlas);
    const other = createMcpWorld({ samples: false });
    onTestFinished(() => other.remove());
    const env = { QDRANT_URL: double.url, SMART_FORK_MACHINE: 'borea' };
    const server = await other.connect({ env });
    const { structured } = await server.call('fork_detect', { intent: 'naïve', fork_index: 1 });
    await server.close();
    expect(structured.forked_session).toMatchObject({ can_fork: true, restored: true });
    expect(structured.forked_session.command).toContain(`claude --resume ${ID} --fork-session`);
  });

  it('removes the transcript from every machine when one machine forgets the session', async () => {
    writeSession(atlas, ID, sampleLines());
    await index(atlas);
    expect(archiveOf(double)).not.toEqual([]);
    expect(await runJson(atlas, ['forget', ID, '--yes'])).toEqual({ forgotten: [ID] });
    expect(archiveOf(double)).toEqual([]);
    await runJson(atlas, ['index', '--force']);
    expect(archiveOf(double)).toEqual([]);
    expect(await restore(borea)).toMatchObject({ error: { code: 'SESSION_NOT_FOUND' } });
  });

  it('sends no transcript if sending is off, nor that of an excluded session', async () => {
    const env = { SMART_FORK_ARCHIVE_REMOTE: 'off' };
    writeSession(atlas, ID, sampleLines());
    expect(await runJson(atlas, ['index'], { env })).toMatchObject({ server: { waiting: 0, problems: [] } });
    expect(archiveOf(double)).toEqual([]);
    expect((await runJson(borea, ['search', 'naïve'])).results).toMatchObject([
      { session_id: ID, restorable: false, fork_command: expect.stringContaining('smart-fork retrieve') },
    ]);
    expect(await restore(borea)).toMatchObject({ error: { code: 'SESSION_NOT_FOUND' } });
    // Once archiving is on, migrate sends everything local.
    await runJson(atlas, ['migrate', '--to', 'qdrant']);
    expect(await restore(borea)).toMatchObject({ state: 'restored' });
    await runCli(atlas, ['config', 'set', 'privacy.exclude.repositories', '["github.com/acme"]']);
    await index(atlas);
    expect(archiveOf(double)).toEqual([]);
  });

  it('sends a transcript from the local archive if the agent has deleted it', async () => {
    const path = writeSession(atlas, ID, sampleLines());
    const bytes = readFileSync(path);
    expect(await runJson(atlas, ['index'], { env: { QDRANT_URL: '' } })).toMatchObject({ indexed: 1 });
    rmSync(path);
    await runJson(atlas, ['migrate', '--to', 'qdrant']);
    expect(existsSync(path)).toBe(false);
    expect(hashOf((await restore(borea)).path)).toBe(sha(bytes));
  });
});
