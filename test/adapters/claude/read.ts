import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import type { ReadOptions, ReadResult, TranscriptEvent } from '../../../src/ports/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import {
  type ClaudeLine,
  SESSION_ID,
  type StampOptions,
  stampLines,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';

export interface Reading {
  events: TranscriptEvent[];
  result: ReadResult;
}

/** Writes a transcript into a new folder. */
export function transcript(content: string | Uint8Array): string {
  return writeClaude(tempFolder('claude'), SESSION_ID, content);
}

export function read(path: string, options: Partial<ReadOptions> = {}): Reading {
  const events: TranscriptEvent[] = [];
  const source = createClaudeSource({ homes: [] });
  const result = source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0, ...options }, (event) => {
    events.push(event);
  });
  return { events, result };
}

export function readLinesOf(lines: ClaudeLine[], options: StampOptions = {}): Reading {
  return read(writeClaude(tempFolder('claude'), SESSION_ID, stampLines(lines, options)));
}

/** The messages in the form `role: text`. */
export function messagesOf(events: TranscriptEvent[]): string[] {
  return events.flatMap((event) => (event.kind === 'message' ? [`${event.role}: ${event.text}`] : []));
}
