import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { openQdrantPointStore } from '../../../../src/adapters/qdrant/qdrant-point-store.ts';
import { AVERAGE_LENGTH } from '../../../../src/adapters/qdrant/schema/sparse.ts';
import { openSqliteOutbox } from '../../../../src/adapters/sqlite/outbox/sqlite-outbox.ts';
import { openSqlitePointStore } from '../../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { readBoth } from '../../../../src/app/share/ask/read-both.ts';
import { drainOutbox } from '../../../../src/app/share/send/drain-outbox.ts';
import { createLexicalTokenizer } from '../../../../src/domain/search/lexical.ts';
import type { PointStore } from '../../../../src/ports/point-store.ts';
import { describeFilters } from '../../../contract/point-store/filters.ts';
import { describeHandles } from '../../../contract/point-store/handles.ts';
import { describeListing } from '../../../contract/point-store/listing.ts';
import { describeReading } from '../../../contract/point-store/reading.ts';
import { describeSearch } from '../../../contract/point-store/search.ts';
import { describeVectors } from '../../../contract/point-store/vectors.ts';
import { describePointStore } from '../../../contract/point-store.ts';
import { isSlow } from '../../../support/campaign.ts';
import { qdrantOptions, startCheckedDouble } from '../../../support/qdrant/qdrant-place.ts';
import { SAMPLE_CHUNKING } from '../../../support/transcripts/sample-sessions.ts';

async function place({ drained }: { drained: boolean }) {
  const double = await startCheckedDouble();
  const folder = mkdtempSync(join(tmpdir(), 'smart-fork-both-'));
  const open = async (): Promise<PointStore> => {
    const bare = openSqlitePointStore(join(folder, 'index.db'), SAMPLE_CHUNKING);
    const outbox = openSqliteOutbox({ path: join(folder, 'index.db'), now: Date.now });
    const remote = openQdrantPointStore(qdrantOptions(double.url));
    const common = { outbox, machine: 'atlas', now: Date.now };
    const both = readBoth({ ...common, bare, timeoutMs: 30_000, remote: async () => remote });
    const handshake = { at: null };
    const send = () =>
      drainOutbox({ ...common, local: bare, remote, tokenizer: createLexicalTokenizer() }, handshake, {
        transcripts: true,
      });
    const after =
      <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
      async (...args: A) => {
        const result = await work(...args);
        await send();
        return result;
      };
    return {
      ...both,
      // The suite expects deleted sessions to be writable again, but forgotten ones are not.
      deleteSessions: bare.deleteSessions,
      ...(drained
        ? {
            write: after(both.write),
            deleteSessions: after(bare.deleteSessions),
            setTags: after(both.setTags),
            setVectors: after(both.setVectors),
          }
        : {}),
      close: async () => {
        await both.close();
        await remote.close();
        outbox.close();
      },
    };
  };
  return {
    open,
    remove: async () => {
      await double.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describePointStore('both stores, nothing sent yet,', () => place({ drained: false }));

// Tokens are computed from the texts when they are sent, so those supplied by a test are lost.
describe('both stores, everything sent, as a point store', { timeout: 30_000 }, () => {
  const make = () => place({ drained: true });
  describeReading(make);
  describeSearch(make, { averages: AVERAGE_LENGTH });
  describeHandles(make);
  // Only the server answers these, as in its own suite.
  if (isSlow) {
    describeListing(make);
    describeFilters(make);
    describeVectors(make);
  }
});
