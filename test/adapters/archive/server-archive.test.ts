import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openServerArchive, type ServerArchive } from '../../../src/adapters/archive/server-archive.ts';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import { createCodexSource } from '../../../src/adapters/codex/source.ts';
import { createRedactor } from '../../../src/adapters/secretlint/create-redactor.ts';
import { redactJsonLines } from '../../../src/app/privacy/redact-json-lines.ts';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import { prepareTranscript } from '../../../src/app/share/send/prepare-transcript.ts';
import type { SessionPayload } from '../../../src/domain/point/point.ts';
import { archiveId, pointId } from '../../../src/domain/point/point-id.ts';
import { transcriptHash } from '../../../src/domain/point/session-points.ts';
import type { ArchivePoint, RemoteStore } from '../../../src/ports/remote-store.ts';
import type { ArchiveReader } from '../../../src/ports/session-archive.ts';
import type { TranscriptSource } from '../../../src/ports/transcript-source.ts';
import { findShared } from '../../support/files/find-shared.ts';
import { sampleCorpora } from '../../support/files/sample-corpora.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { claudeFiles, inspect, linesOf, MIB, sha } from '../../support/machines/archive-place.ts';
import { archiveOf, transcriptOn } from '../../support/qdrant/archive-points.ts';
import type { QdrantDouble } from '../../support/qdrant/double/server.ts';
import { useDoubles } from '../../support/qdrant/qdrant-place.ts';
import { uuidOf, writeClaude } from '../../support/transcripts/claude-transcripts.ts';
import { changeOf, sessionPayload } from '../../support/transcripts/sample-sessions.ts';
import { openSealedQdrant } from '../sealed/places.ts';

const ID = uuidOf('archived');
const SECRET = ['ghp', 'Zk3Qw9Lm2Rt7Yx5Bv8Nc4Hd6Jf1Ps0Ga2Ue3'].join('_');
const SECRET_LINE = `${JSON.stringify({ type: 'user', message: { content: `push with ${SECRET}` } })}\n`;
const setUp = useDoubles();
const redactor = createRedactor({ patterns: [] });
const nothing: ArchiveReader = {
  name: 'nothing',
  mayHold: () => false,
  find: async () => null,
  async *read() {
    yield* [];
  },
  findByPrefix: async () => [],
};

interface Machine {
  path: string;
  /** Sends the session and its transcript in their current state, as after indexing. */
  send(options?: { whole?: boolean; rules?: string }): Promise<void>;
  remote: RemoteStore;
  archive: ServerArchive;
}

function openMachine(remote: RemoteStore): Machine {
  const path = writeClaude(tempFolder('archived'), ID, []);
  const archive = openServerArchive(async () => remote);
  const source = { sources: [claudeFiles], archive };
  return { path, remote, archive, send: senderOf(remote, source, () => sessionOf(path)) };
}

/** What the outbox and the local store know about a session. */
function senderOf(
  remote: RemoteStore,
  { sources, archive }: { sources: TranscriptSource[]; archive: ServerArchive },
  sessionNow: () => SessionPayload,
): Machine['send'] {
  let there: string | null | undefined;
  let superseded: string[] = [];
  let again = false;
  return async ({ whole = false, rules = 'rules' } = {}) => {
    const session = sessionNow();
    there ??= await hashOn(remote, session.session_id);
    const { session_id: remoteId, content_hash: contentHash } = session;
    const point = { id: pointId(remoteId, 'session'), payload: session };
    const change = { session: point, upserts: [], deletes: [], expected: there, tokens: null };
    const deps = { sources, kept: nothing, archive, redactor, rules };
    const prepare = (_: string, manifest: ArchivePoint | null) =>
      prepareTranscript(deps, { session, remoteId, whole, again }, manifest);
    try {
      const transcripts = { of: [{ sessionId: remoteId, contentHash }], prepare };
      const written = await remote.send(there === contentHash ? [] : [change], { transcripts, superseded });
      superseded = written.superseded;
      again = false;
    } catch (error) {
      again = true;
      throw error;
    } finally {
      there = await hashOn(remote, remoteId);
    }
  };
}

async function hashOn(remote: RemoteStore, sessionId: string): Promise<string | null> {
  return (await getSession(remote, sessionId))?.content_hash ?? null;
}

function sessionOf(path: string): SessionPayload {
  const { size } = inspect(path);
  const content_hash = transcriptHash(claudeFiles.digest(path, size, []));
  return { ...sessionPayload({ id: ID }), agent: 'claude', jsonl_path: path, bytes: size, content_hash };
}

async function bytesFrom(archive: ServerArchive): Promise<Buffer> {
  const kept = await archive.find(ID);
  if (kept === null) throw new Error('nothing is kept');
  const parts: Uint8Array[] = [];
  for await (const part of archive.read(kept)) parts.push(part);
  return Buffer.concat(parts);
}

/** Bytes in whole lines. */
const wholeLines = (bytes: number, seed = 'a') => {
  const lines = linesOf(bytes, seed);
  return lines.subarray(0, lines.lastIndexOf(10) + 1);
};

describe('the archive on a server', { timeout: 30_000 }, () => {
  let double: QdrantDouble;
  let machine: Machine;
  beforeEach(async () => {
    const opened = await setUp();
    double = opened.double;
    machine = openMachine(opened.another() as RemoteStore);
  });
  /** The requests made by a send. */
  const sent = async (work: () => Promise<unknown>) => {
    const before = double.requests.length;
    await work();
    // The last request is the test's own, to read the server's state.
    return double.requests.slice(before, -1);
  };
  const partsSent = (requests: { body: unknown }[]) =>
    requests.flatMap(({ body }) => JSON.stringify(body).match(/"type":"archive"/g) ?? []).length;

  it.each([
    ['a line', 700],
    ['a part', MIB],
    ['a byte more than a part', MIB + 1],
    ['five parts and a bit', 5 * MIB + 77],
  ])('returns %s', async (_, bytes) => {
    writeFileSync(machine.path, linesOf(bytes));
    await machine.send();
    expect(sha(await bytesFrom(machine.archive))).toBe(sha(readFileSync(machine.path)));
    expect(await machine.archive.find(ID)).toMatchObject({
      bytes,
      contentHash: sessionOf(machine.path).content_hash,
    });
  });

  it('sends only the last part of a transcript that grew, in three requests, and deletes the old part with the next write', async () => {
    writeFileSync(machine.path, wholeLines(3 * MIB + 1000));
    await machine.send();
    expect(archiveOf(double)).toHaveLength(1 + 4);
    for (const seed of ['b', 'c']) {
      appendFileSync(machine.path, wholeLines(2000, seed));
      const requests = await sent(() => machine.send());
      expect(requests).toHaveLength(3);
      expect(JSON.stringify(requests).length).toBeLessThan(20_000);
      expect(archiveOf(double)).toHaveLength(1 + 4 + 1);
      expect(sha(transcriptOn(double, ID))).toBe(sha(readFileSync(machine.path)));
    }
    await machine.send();
    expect(archiveOf(double)).toHaveLength(1 + 4);
    // Nothing changed: one request.
    expect(await sent(() => machine.send())).toHaveLength(1);
  });

  it('redacts appended lines, including one that spans two parts', async () => {
    const head = wholeLines(MIB - 40);
    writeFileSync(machine.path, Buffer.concat([head, Buffer.from(`{"a":"${'x'.repeat(MIB - head.length)}`)]));
    const torn = readFileSync(machine.path);
    await machine.send();
    expect(sha(transcriptOn(double, ID))).toBe(sha(torn));
    appendFileSync(machine.path, `","password":"${SECRET}"}\n`);
    await machine.send();
    const there = transcriptOn(double, ID);
    expect(there.toString()).not.toContain(SECRET);
    expect(sha(there)).toBe(sha((await redactJsonLines(readFileSync(machine.path), redactor)).bytes));
    expect(await machine.archive.find(ID)).toMatchObject({
      redacted: { places: 1, bytes: readFileSync(machine.path).length },
      original: { contentHash: sessionOf(machine.path).content_hash },
    });
  });

  it('sends only the changed parts of a redacted transcript', async () => {
    writeFileSync(machine.path, Buffer.concat([Buffer.from(SECRET_LINE), wholeLines(3 * MIB)]));
    await machine.send();
    appendFileSync(machine.path, SECRET_LINE);
    const requests = await sent(() => machine.send());
    expect(
      partsSent(requests.filter(({ body }) => JSON.stringify(body).includes('"upsert"'))),
    ).toBeLessThanOrEqual(2);
    expect(JSON.stringify(requests).length).toBeLessThan(300_000);
    const { bytes } = await redactJsonLines(readFileSync(machine.path), redactor);
    expect(sha(transcriptOn(double, ID))).toBe(sha(bytes));
    expect(await machine.archive.find(ID)).toMatchObject({ redacted: { places: 2 } });
  });

  it('keeps the old or the new transcript wherever an upload is interrupted, and resumes it', async () => {
    writeFileSync(machine.path, wholeLines(4 * MIB));
    await machine.send();
    const old = readFileSync(machine.path);
    writeFileSync(machine.path, wholeLines(5 * MIB, 'b'));
    for (let cut = 0; ; cut += 1) {
      let writes = 0;
      double.options.fault = ({ method, path }) =>
        (method === 'PUT' || path.includes('/points/batch')) && writes++ === cut ? { answer: 400 } : null;
      const failed = await machine.send().then(
        () => false,
        () => true,
      );
      delete double.options.fault;
      if (!failed) break;
      const isNew =
        (await getSession(machine.remote, ID))?.content_hash === sessionOf(machine.path).content_hash;
      const state = isNew ? readFileSync(machine.path) : old;
      expect(sha(await bytesFrom(machine.archive))).toBe(sha(state));
      expect(cut).toBeLessThan(5);
    }
    expect(sha(await bytesFrom(machine.archive))).toBe(sha(readFileSync(machine.path)));
    // Parts of earlier attempts are removed with the old state.
    expect(archiveOf(double)).toHaveLength(1 + 5);
  });

  it('repairs missing and modified parts during a full comparison', async () => {
    writeFileSync(machine.path, wholeLines(2 * MIB));
    await machine.send();
    const kept = await machine.archive.find(ID);
    const id = archiveId(ID, { index: 1, digest: kept?.parts[1]?.digest ?? '' });
    await machine.remote.putArchive([{ id, sessionId: ID, kind: 'part', bytes: Buffer.from('other') }]);
    await expect(bytesFrom(machine.archive)).rejects.toMatchObject({
      code: 'TRANSCRIPT_UNREADABLE',
      message: expect.stringContaining('part 1'),
      hint: expect.stringContaining(`--session ${ID} --force`),
    });
    [...double.collections.values()][0]?.delete({ points: [id] });
    await expect(bytesFrom(machine.archive)).rejects.toMatchObject({
      message: expect.stringContaining('missing'),
    });
    await machine.send({ whole: true });
    expect(sha(await bytesFrom(machine.archive))).toBe(sha(readFileSync(machine.path)));
  });

  it('sends nothing of a transcript that differs from the indexed one', async () => {
    writeFileSync(machine.path, wholeLines(MIB));
    const session = sessionOf(machine.path);
    writeFileSync(machine.path, wholeLines(MIB, 'b'));
    const { archive } = machine;
    const deps = { sources: [claudeFiles], kept: nothing, archive, redactor, rules: 'rules' };
    const wanted = { session, remoteId: ID, whole: true, again: true };
    expect(await prepareTranscript(deps, wanted, null)).toBeNull();
    expect(double.requests).toEqual([]);
  });

  it('leaves nothing on the server of a session forgotten during the upload', async () => {
    await machine.remote.write([changeOf({ id: ID, chunks: ['words'] })]);
    const tombstone = { session_id: ID, machine: 'borea', forgotten_at: '2026-06-01T12:00:00.000Z' };
    await machine.remote.forgetSessions([tombstone]);
    writeFileSync(machine.path, wholeLines(MIB));
    await machine.send();
    expect(archiveOf(double)).toEqual([]);
  });

  it('keeps archived parts out of every search, list and count', async () => {
    await machine.remote.write([changeOf({ id: ID, chunks: ['words'] })]);
    const before = await machine.remote.count();
    writeFileSync(machine.path, wholeLines(MIB));
    await machine.send();
    expect(await machine.remote.count()).toEqual(before);
    expect(await getSession(machine.remote, ID)).toMatchObject({ archived: true });
    expect((await machine.remote.list({}, 10)).sessions).toHaveLength(1);
    expect(await machine.remote.pointsWithoutVector(10)).toHaveLength(1);
    expect(await machine.remote.getHashes(ID)).toHaveProperty('size', 1);
    expect(await machine.archive.findByPrefix(ID.slice(0, 6), 5)).toEqual([ID]);
    await machine.remote.deleteSessions([ID]);
    expect(archiveOf(double)).toEqual([]);
  });

  it.runIf(findShared('corpora')).each([
    ['claude', 'plain'],
    ['codex', 'sealed'],
  ] as const)(
    'stores real transcripts of %s at no more than 0.35 of their size, %s',
    { timeout: 120_000 },
    async (agent, way) => {
      const home = join(sampleCorpora(5), agent);
      const source =
        agent === 'claude' ? createClaudeSource({ homes: [home] }) : createCodexSource({ homes: [home] });
      const remote = way === 'plain' ? machine.remote : openSealedQdrant(double.url);
      const archive = openServerArchive(async () => remote);
      let [bytes, same, sessions] = [0, 0, 0];
      for (const { path, sessionId } of source.find()) {
        const raw = Buffer.concat([...(source.bytes?.parts(path, 0) ?? [])]);
        const content_hash = transcriptHash(source.digest(path, raw.length, []));
        const payload = {
          ...sessionPayload({ id: sessionId }),
          agent,
          jsonl_path: path,
          bytes: raw.length,
          content_hash,
        };
        await senderOf(remote, { sources: [source], archive }, () => payload)({ whole: true });
        const kept = await archive.find(sessionId);
        if (kept?.redacted === undefined) expect(kept?.contentHash).toBe(content_hash);
        same += kept?.redacted === undefined ? 1 : 0;
        bytes += raw.length;
        sessions += 1;
      }
      const stored = archiveOf(double).reduce((sum, { data }) => sum + data.length, 0);
      console.log(
        `${agent}, ${way}: ${(stored / 1e6).toFixed(1)} MB on the server for ${(bytes / 1e6).toFixed(1)} MB: ${(stored / bytes).toFixed(3)}; ${same} of ${sessions} byte for byte`,
      );
      expect(stored / bytes).toBeLessThanOrEqual(0.35);
      const { storedBytes } = await archive.size();
      expect(storedBytes / stored).toBeGreaterThan(0.95);
      await remote.close();
    },
  );
});
