import type { Tokens } from '../../domain/usage/usage.ts';
import type { ContextSize } from '../../ports/transcript-source.ts';
import type { RecordSink } from './record-sink.ts';

/** A record of a transcript. */
export type Row = Record<string, unknown>;

/** How an agent's records are read. */
export interface RowFormat {
  /** Tells the sink what a record says; false if it does not have the shape of its type. */
  tell(row: Row, sink: RecordSink): boolean;
  timestampOf(row: Row): string | null;
  /** Whether a record says that it was copied from the session's parent. Absent if only its time tells. */
  isCopied?(row: Row): boolean;
  /** What in a record, or the record itself, is of a kind that no known version writes. It is counted if it holds text. */
  unknownIn?(row: Row): Row[];
  /** The usage of the request that a record answers; absent if transcripts do not record tokens. */
  usageOf?(row: Row): { id: string; model: string | null; tokens: Tokens } | null;
  /** The size of the context after a record, null if it is unknown; undefined if this record says nothing of it. */
  contextAfter?(row: Row): ContextSize | null | undefined;
}

/** The folder with the transcripts of a session's subagents, and what precedes their ids in the names of the files. */
export interface SubagentPlace {
  folder: string;
  prefix: string;
}

export interface SessionAbout {
  sessionId: string;
  cwd: string | null;
  /** The other folders of its workspace, which privacy rules look at. */
  folders?: string[];
  /** Of its first message; what a session and its forks share. */
  fingerprint: string | null;
  /** The session it was forked from, and when: earlier records were copied from it. */
  parent?: { id: string; since: string } | null;
  branch?: string | null;
  version?: string | null;
  /** If it is not a record. */
  title?: { source: 'custom' | 'ai'; text: string } | null;
}
