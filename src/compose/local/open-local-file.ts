import { existsSync, statSync } from 'node:fs';
import { canWrite } from '../../adapters/sqlite/database/open-database.ts';
import { openSqlitePointStore } from '../../adapters/sqlite/points/sqlite-point-store.ts';
import { chunkingName } from '../../app/index/chunking-name.ts';
import type { ModelRecord } from '../../domain/model/model-record.ts';
import type { LocalStore } from '../../ports/outbox.ts';
import type { PointStore } from '../../ports/point-store.ts';

export interface LocalFile {
  path: string;
  exists(): boolean;
  /** Opens the store. Changes made through this handle are not recorded for a server. */
  open(): Promise<PointStore>;
  /** Whether the open store was emptied by another process (`reindex`), or its file replaced. A missing file does not count. */
  isReplaced(): Promise<boolean>;
  /** Empties the store and forgets the read offsets of its transcripts. */
  drop(): Promise<void>;
}

export function openLocalFile(path: string, model: () => Promise<ModelRecord>) {
  let store: LocalStore | null = null;
  let inode: number | null = null;
  let storeId = '';
  let isReadOnly = false;
  // A read-only store keeps showing the file as it was when it was opened.
  const isWritableAgain = () => isReadOnly && canWrite(path);
  const inodeNow = () => statSync(path, { throwIfNoEntry: false })?.ino ?? null;
  return {
    path,
    exists: () => existsSync(path),
    async open() {
      const chunking = chunkingName(await model());
      if (store === null) {
        store = openSqlitePointStore(path, chunking);
        inode = inodeNow();
        isReadOnly = !canWrite(path);
        storeId = (await store.info()).storeId;
      }
      return store;
    },
    canWrite: () => canWrite(path),
    notices: () => store?.notices() ?? [],
    async isReplaced() {
      const now = inodeNow();
      if (store === null || now === null) return false;
      return now !== inode || isWritableAgain() || (await store.info()).storeId !== storeId;
    },
    async close() {
      await store?.close();
      store = null;
      inode = null;
      isReadOnly = false;
    },
  };
}
