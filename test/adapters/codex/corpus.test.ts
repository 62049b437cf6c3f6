import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCodexSource } from '../../../src/adapters/codex/source.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import { rounds } from '../../support/campaign.ts';
import { cpuTime } from '../../support/cpu-time.ts';
import { findShared } from '../../support/files/find-shared.ts';

const CUTS = rounds({ quick: 3, slow: 12 });
const EVERY_LINE_BELOW = rounds({ quick: 20_000, slow: 200_000 });
/** Real transcripts, if the folder next to the repository contains any. */
const CORPORA = findShared('corpora') ?? undefined;
const source = createCodexSource({ homes: [join(CORPORA ?? 'none', 'codex')] });

describe.runIf(CORPORA !== undefined)('real Codex transcripts', () => {
  const files = source.find();

  it('reads real Codex transcripts without skipping a line', () => {
    expect(files.length).toBeGreaterThanOrEqual(20);
    for (const file of files) {
      const { result } = read(file.path);
      expect(result.skipped).toEqual([]);
      expect(result.end).toBe(file.size);
    }
  });

  it('reads as many messages as Codex displayed', () => {
    for (const file of files) {
      const { events } = read(file.path);
      const text = readFileSync(file.path, 'utf8');
      expect(count(events, 'user')).toBe(text.match(/"payload":\{"type":"user_message"/g)?.length ?? 0);
      expect(count(events, 'assistant')).toBe(text.match(/"payload":\{"type":"agent_message"/g)?.length ?? 0);
      expect(count(events, 'tool')).toBeGreaterThan(0);
    }
  });

  it('emits the same Codex events in two parts as at once, wherever the file is cut', {
    timeout: 60_000,
  }, () => {
    for (const file of files) {
      const whole = read(file.path);
      const starts = lineStarts(readFileSync(file.path));
      const step = file.size < EVERY_LINE_BELOW ? 1 : Math.ceil(starts.length / CUTS);
      for (let line = 0; line < starts.length; line += step) {
        const second = read(file.path, starts[line], line);
        const first = whole.events.slice(0, whole.events.length - second.events.length);
        expect(second.events).toEqual(whole.events.slice(first.length));
        expect(second.result.lines).toBe(whole.result.lines - line);
        expect(first.length).toBe(readBefore(file.path, starts[line] ?? 0));
      }
    }
  });

  it('emits the commits reported in real Codex transcripts', () => {
    const known = readFileSync(join(CORPORA ?? '', 'commits.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): { subject: string; sessions: string[] } => JSON.parse(line));
    const told = files.flatMap((file) =>
      read(file.path).events.flatMap((event) => (event.kind === 'commit' ? [event.commit.subject] : [])),
    );
    const ids = new Set(files.map((file) => file.sessionId));
    const made = known.filter(({ sessions }) => sessions.some((id) => ids.has(id)));
    const found = made.filter(({ subject }) => told.includes(subject));
    console.log(
      `commits of these sessions: ${made.length}, told by subject: ${found.length}, told in all: ${told.length}`,
    );
    // Most other commits were made after the end of the transcript, or on GitHub when a pull request was merged.
    expect(found.length).toBeGreaterThanOrEqual(10);
  });

  it('reads Codex transcripts as fast as their lines can be parsed', { retry: 2 }, () => {
    const paths = files.map((file) => file.path);
    const bare = shortest(() => {
      for (const path of paths)
        for (const line of readFileSync(path, 'utf8').split('\n')) if (line) JSON.parse(line);
    });
    const ours = shortest(() => {
      for (const path of paths)
        source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, () => undefined);
    });
    const megabytes = paths.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6;
    console.log(`${megabytes.toFixed(0)} MB: ${ours.toFixed(0)} ms, the bare loop ${bare.toFixed(0)} ms`);
    expect(ours).toBeLessThan(bare * 1.5);
  });
});

function read(path: string, from = 0, linesBefore = 0) {
  const events: TranscriptEvent[] = [];
  const result = source.read(path, { from, linesBefore, inheritedBytes: 0 }, (event) => {
    events.push(event);
  });
  return { events, result };
}

/** Number of events in the lines before an offset. */
function readBefore(path: string, end: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'smart-fork-cut-'));
  try {
    const copy = join(folder, basename(path));
    writeFileSync(copy, readFileSync(path).subarray(0, end));
    return read(copy).events.length;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function lineStarts(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  return starts;
}

function count(events: TranscriptEvent[], role: string): number {
  return events.filter((event) => event.kind === 'message' && event.role === role).length;
}

function shortest(run: () => void): number {
  return Math.min(...Array.from({ length: 3 }, () => cpuTime(run)));
}
