import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createFileArchive } from '../../../src/adapters/archive/file-archive.ts';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import { openSqliteLease } from '../../../src/adapters/sqlite/state/sqlite-lease.ts';
import type { SaveResult, SessionArchive } from '../../../src/ports/session-archive.ts';
import type { TranscriptFile } from '../../../src/ports/transcript-source.ts';

export const MIB = 1024 * 1024;

/** An archive in a folder, opened like `compose` does. Each has its own lease, like a separate process. */
export function openArchive(home: string): SessionArchive {
  const archive = createFileArchive({
    folder: join(home, 'archive'),
    openLease: async () =>
      openSqliteLease({
        path: join(home, 'state.db'),
        name: 'archive',
        pid: process.pid,
        host: hostname(),
        now: () => Date.now(),
      }),
  });
  onTestFinished(() => archive.close());
  return archive;
}

export const claudeFiles = createClaudeSource({ homes: [] });

export function inspect(path: string): TranscriptFile {
  const { size, mtimeMs, ino } = statSync(path);
  return { agent: 'claude', path, sessionId: basename(path, '.jsonl'), size, mtimeMs, inode: ino };
}

export function save(archive: SessionArchive, path: string): Promise<SaveResult> {
  return archive.save(inspect(path), (from) => claudeFiles.bytes?.parts(path, from) ?? []);
}

export async function bytesOf(archive: SessionArchive, sessionId: string): Promise<Buffer | null> {
  const kept = await archive.find(sessionId);
  if (kept === null) return null;
  const parts: Uint8Array[] = [];
  for await (const part of archive.read(kept)) parts.push(part);
  return Buffer.concat(parts);
}

export function sha(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Names of a session's archived files. */
export function filesOf(home: string, sessionId: string): string[] {
  return readdirSync(join(home, 'archive', sessionId)).sort();
}

/** Lines like a transcript's, exactly this many bytes, the last line truncated. */
export function linesOf(bytes: number, seed = 'a'): Buffer {
  const lines: string[] = [];
  for (let length = 0, at = 0; length < bytes; at += 1) {
    const text = `${seed} ${at} ${sha(Buffer.from(`${seed}${at}`)).repeat(8)}`;
    const line = `${JSON.stringify({ type: 'user', sessionId: 'x', uuid: at, message: { content: text } })}\n`;
    lines.push(line);
    length += line.length;
  }
  return Buffer.from(lines.join('')).subarray(0, bytes);
}
