import * as z from 'zod';
import { isAgentId } from '../session/session-id.ts';

/** The names and the texts of a bundle's entries. docs/bundles.md describes the format. */

/** Bytes of one session's JSON. The largest session known has 30 MB. */
export const LARGEST_SESSION = 64 * 1024 * 1024;
/** Approximate number of JSON values in it: `[],` takes twenty times its size in memory. */
export const MOST_VALUES = 8_000_000;
/** Transcripts of one session. */
export const MAX_OF_SESSION = 2000;
/** In the whole bundle, because every hash is compared before anything is written. */
export const MAX_TRANSCRIPTS = 200_000;

export const BUNDLE_VERSION = 1;
/** The first entry. */
export const HEAD_NAME = 'bundle.json';

export const headSchema = z.object({
  format: z.literal('smart-fork-bundle'),
  version: z.number().int().positive(),
  created: z.string(),
  sessions: z.number().int().nonnegative().max(100_000),
});

export type BundleHead = z.infer<typeof headSchema>;

/** A transcript of a session: its own, or that of a subagent. */
const transcriptSchema = z.object({
  agent_id: z.string().max(700).refine(isAgentId).nullable(),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export type BundledTranscript = z.infer<typeof transcriptSchema>;

/** Where the agent worked, besides the record's folder and branch. Privacy rules check all of it. */
const placesSchema = z.object({
  folders: z.array(z.string()).max(10_000),
  branches: z.array(z.string()).max(10_000),
  repositories: z.array(z.string()).max(10_000),
});

export type Places = z.infer<typeof placesSchema>;

/** The payloads are checked by `readSessionPayload` and `readTextPayload`. */
export const sessionSchema = z.object({
  session: z.unknown(),
  points: z.array(z.unknown()),
  places: placesSchema.default({ folders: [], branches: [], repositories: [] }),
  transcripts: z.array(transcriptSchema).max(MAX_OF_SESSION),
});

export function sessionName(index: number): string {
  return `${folderOf(index)}/session.json`;
}

export function transcriptName(index: number, { agent_id }: Pick<BundledTranscript, 'agent_id'>): string {
  return agent_id === null
    ? `${folderOf(index)}/transcript.jsonl`
    : `${folderOf(index)}/agents/${agent_id.replaceAll('/', '%2F')}.jsonl`;
}

/** Numbered, because an id may be any text. */
function folderOf(index: number): string {
  return `sessions/${String(index + 1).padStart(6, '0')}`;
}

/** An upper bound on the number of values in a JSON text: it also counts characters inside strings. */
export function countValues(json: Uint8Array): number {
  let count = 0;
  for (const byte of json) if (BEGINNINGS.has(byte)) count += 1;
  return count;
}

const BEGINNINGS = new Set(Buffer.from('[{,'));
