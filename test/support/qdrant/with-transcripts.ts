import { openServerArchive } from '../../../src/adapters/archive/server-archive.ts';
import { type DrainOptions, drainOutbox } from '../../../src/app/share/send/drain-outbox.ts';
import type { TranscriptToSend } from '../../../src/app/share/send/prepare-transcript.ts';
import { createLexicalTokenizer } from '../../../src/domain/search/lexical.ts';
import type { ArchivePoint } from '../../../src/ports/remote-store.ts';
import { changeOf, growth, type Sample, sessionPayload } from '../transcripts/sample-sessions.ts';
import type { SharedServer, SharingMachine } from './shared-server.ts';

const MACHINES = ['atlas', 'borea'];

export const sampleOf = (turns: number, id = 'a', machine = 'atlas'): Sample => ({
  id,
  record: { machine },
  chunks: Array.from({ length: turns }, (_, at) => `text ${at}`),
});

/** A machine whose archived transcripts contain one byte per turn, after their own `words`. */
export function withTranscripts(server: SharedServer, machine: SharingMachine, words = '') {
  const { outbox, local, remote, name } = machine;
  const archive = openServerArchive(async () => remote);
  const turnsOf = (contentHash: string, id: string): number => {
    for (let turns = 1; turns < 20; turns += 1)
      if (MACHINES.some((one) => sessionPayload(sampleOf(turns, id, one)).content_hash === contentHash))
        return turns;
    throw new Error('a state that nobody wrote');
  };
  const prepareTranscript = async (
    { session, remoteId, again }: TranscriptToSend,
    manifest: ArchivePoint | null,
  ) => {
    const { bytes, content_hash: contentHash, agent } = session;
    const known = manifest === null ? null : archive.open(remoteId, manifest);
    if (!again && known?.original.contentHash === contentHash) return null;
    const content = `${words}${'x'.repeat(turnsOf(contentHash, session.session_id))}`;
    const parts = (async function* () {
      yield Buffer.from(content);
    })();
    const transcript = { sessionId: remoteId, agent, original: { bytes, contentHash }, rules: 'rules' };
    const commit = await archive.prepare(transcript, known, 0, { parts, places: () => 0 });
    return { ...commit, cleans: commit.cleans || again };
  };
  const sample = (turns: number, id: string) => sampleOf(turns, id, name);
  const tokenizer = createLexicalTokenizer();
  const now = () => server.clock.now;
  const deps = { outbox, local, remote, tokenizer, machine: name, now, prepareTranscript };
  const handshake = { at: null };
  return {
    archive,
    drain: (options?: DrainOptions) => drainOutbox(deps, handshake, options),
    /** Number of turns in the server's transcript, read from its parts; 0 without one. */
    async turnsThere(id = 'a'): Promise<number> {
      const kept = await archive.find(id);
      if (kept === null) return 0;
      const parts: Uint8Array[] = [];
      for await (const part of archive.read(kept)) parts.push(part);
      const turns = Buffer.concat(parts).toString().length - words.length;
      if (turns !== turnsOf(kept.original.contentHash, id)) throw new Error('manifest and parts differ');
      return turns;
    },
    turn: (turns: number, id = 'a') =>
      machine.local.write([
        turns === 1 ? changeOf(sample(1, id)) : growth(sample(turns - 1, id), sample(turns, id)),
      ]),
  };
}
