import {
  BUNDLE_VERSION,
  type BundledTranscript,
  HEAD_NAME,
  headSchema,
  type Places,
  sessionName,
  sessionSchema,
  transcriptName,
} from '../../domain/bundle/bundle-format.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { nodeCrypto } from '../../domain/point/hash.ts';
import type { SessionPayload, TextPayload } from '../../domain/point/point.ts';
import { knownFields, readSessionPayload, readTextPayload } from '../../domain/point/read-payload.ts';
import { ownerOf } from '../../domain/session/session-id.ts';
import type { BundleEntry } from '../../ports/bundle/bundle-file.ts';
import { MAX_SHARED_BYTES } from '../../ports/session-archive.ts';

export interface BundledSession {
  session: SessionPayload;
  points: TextPayload[];
  places: Places;
  transcripts: BundledTranscript[];
}

export interface BundleReader {
  /** `total`: how many sessions the bundle has. */
  session(found: BundledSession, total: number): Promise<void>;
  /** Of the session before. Throws at its end if the bytes are not those of the manifest. */
  transcript(about: BundledTranscript, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/** What the index has of one session, as JSON; the largest known has 30 MB. */
const LARGEST_SESSION = 64 * 1024 * 1024;
/** Values in it, about: `[],` takes twenty times the memory of its text. */
const MOST_VALUES = 4_000_000;
/** In the whole bundle: the hash of each is compared before anything is written. */
const MOST_TRANSCRIPTS = 200_000;

/**
 * Reads a bundle from its first to its last entry, and checks each. Nobody is trusted: whoever has the recipient's key can seal
 * anything.
 * @throws SmartForkError USAGE for what is no bundle, or one of a newer version
 */
export async function readBundle(entries: AsyncIterable<BundleEntry>, reader: BundleReader): Promise<void> {
  const rest = entries[Symbol.asyncIterator]();
  const next = async (name: string): Promise<BundleEntry> => {
    const { value, done } = await rest.next();
    if (done === true) throw notBundle(`${name} is missing`);
    if (value.name !== name) throw notBundle(`${JSON.stringify(value.name)} stands in place of ${name}`);
    return value;
  };
  try {
    const { sessions: total } = readHead(await readJson(await next(HEAD_NAME)));
    const ids = new Set<string>();
    let transcripts = 0;
    for (let index = 0; index < total; index += 1) {
      const found = checkSession(await readJson(await next(sessionName(index))), ids);
      transcripts += found.transcripts.length;
      if (transcripts > MOST_TRANSCRIPTS) throw notBundle(`it has more than ${MOST_TRANSCRIPTS} transcripts`);
      await reader.session(found, total);
      for (const about of found.transcripts) {
        const entry = await next(transcriptName(index, about));
        if (entry.bytes !== about.bytes || entry.bytes > MAX_SHARED_BYTES)
          throw notBundle(`${entry.name} has ${entry.bytes} bytes`);
        await reader.transcript(about, verified(entry, about));
      }
    }
    if ((await rest.next()).done !== true) throw notBundle('it has more than it says');
  } finally {
    await rest.return?.();
  }
}

function readHead(value: unknown) {
  const head = headSchema.safeParse(value);
  if (!head.success) throw notBundle(`${HEAD_NAME} is not what it should be`);
  if (head.data.version <= BUNDLE_VERSION) return head.data;
  throw new SmartForkError(
    'USAGE',
    `the bundle has version ${head.data.version}, and this smart-fork knows ${BUNDLE_VERSION}`,
    {
      hint: 'Update smart-fork. Nothing was imported.',
    },
  );
}

/** As agents write them; a copy of another machine has its name behind an @. */
const SAFE_ID = /^[0-9a-z][0-9a-z_-]{0,127}(?:@[\w.-]{1,100})?$/;

function checkSession(value: unknown, ids: Set<string>): BundledSession {
  const parsed = sessionSchema.safeParse(value);
  if (!parsed.success) throw notBundle('a session is not what it should be');
  const { payload: session, isWhole } = readSessionPayload(parsed.data.session, false);
  if (session === null || !isWhole) throw notBundle('the record of a session is not what it should be');
  const id = session.session_id;
  // An id becomes a file's name, also where two names that differ in case are one file: agents write lower case.
  if (!SAFE_ID.test(id) || ownerOf(id) !== id || ids.has(id))
    throw notBundle(`${JSON.stringify(id)} cannot be the id of a session`);
  ids.add(id);
  const { transcripts, places } = parsed.data;
  if (new Set(transcripts.map(({ agent_id }) => agent_id)).size < transcripts.length)
    throw notBundle(`session ${id} has a transcript twice`);
  const { archived: _, ...known } = knownFields(session);
  return {
    session: known,
    points: checkPoints(parsed.data.points, session),
    places,
    transcripts,
  };
}

function checkPoints(values: unknown[], { session_id, agent }: SessionPayload): TextPayload[] {
  const seen = new Set<string>();
  return values.map((value) => {
    const { payload, isWhole } = readTextPayload(value, false);
    const isOurs =
      payload !== null && isWhole && payload.session_id === session_id && payload.agent === agent;
    const key = `${payload?.type} ${payload?.chunk_index}`;
    if (!isOurs || seen.has(key))
      throw notBundle(`a passage of session ${session_id} is not what it should be`);
    seen.add(key);
    return knownFields(payload);
  });
}

/** Of a value in a list or an object. */
const BEGINNINGS = new Set(Buffer.from('[{,'));

async function readJson({ name, bytes, content }: BundleEntry): Promise<unknown> {
  if (bytes > LARGEST_SESSION) throw notBundle(`${name} has ${bytes} bytes`);
  const parts: Uint8Array[] = [];
  let values = 0;
  for await (const part of content) {
    parts.push(part);
    for (const byte of part) if (BEGINNINGS.has(byte)) values += 1;
    if (values > MOST_VALUES) throw notBundle(`${name} has more than ${MOST_VALUES} values`);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw notBundle(`${name} is not JSON`);
  }
}

async function* verified(
  { name, content }: BundleEntry,
  { bytes, sha256 }: BundledTranscript,
): AsyncGenerator<Uint8Array> {
  const hash = nodeCrypto().createHash('sha256');
  let seen = 0;
  for await (const part of content) {
    hash.update(part);
    seen += part.length;
    yield part;
  }
  if (seen !== bytes || hash.digest('hex') !== sha256) throw notBundle(`${name} does not match its hash`);
}

function notBundle(reason: string): SmartForkError {
  return new SmartForkError('USAGE', `not a bundle of smart-fork, or a damaged one: ${reason}`, {
    hint: 'Nothing was imported from it. smart-fork export --bundle FILE writes one.',
  });
}
