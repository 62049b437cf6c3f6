import {
  BUNDLE_VERSION,
  type BundledTranscript,
  countValues,
  HEAD_NAME,
  headSchema,
  LARGEST_SESSION,
  MAX_TRANSCRIPTS,
  MOST_VALUES,
  type Places,
  sessionName,
  sessionSchema,
  transcriptName,
} from '../../domain/bundle/bundle-format.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload, TextPayload } from '../../domain/point/point.ts';
import { knownFields, readSessionPayload, readTextPayload } from '../../domain/point/read-payload.ts';
import { ownerOf } from '../../domain/session/session-id.ts';
import { nodeCrypto } from '../../domain/text/hash.ts';
import type { BundleEntry } from '../../ports/bundle/bundle-file.ts';
import { MAX_SHARED_BYTES } from '../../ports/session-archive.ts';

export interface BundledSession {
  session: SessionPayload;
  points: TextPayload[];
  places: Places;
  transcripts: BundledTranscript[];
}

interface BundleReader {
  /** `total`: number of sessions in the bundle. */
  session(found: BundledSession, total: number): Promise<void>;
  /** A transcript of the preceding session. The content throws at its end if it does not match the manifest. */
  transcript(about: BundledTranscript, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/**
 * Reads and checks a bundle from the first entry to the last. Nothing in it is trusted: anyone with the recipient's public key can
 * seal a bundle.
 * @throws SmartForkError USAGE for a file that is not a bundle, or a newer version
 */
export async function readBundle(entries: AsyncIterable<BundleEntry>, reader: BundleReader): Promise<void> {
  const rest = entries[Symbol.asyncIterator]();
  const next = async (name: string): Promise<BundleEntry> => {
    const { value, done } = await rest.next();
    if (done === true) throw notBundle(`${name} is missing`);
    if (value.name !== name) throw notBundle(`found ${JSON.stringify(value.name)} instead of ${name}`);
    return value;
  };
  try {
    const { sessions: total } = readHead(await readJson(await next(HEAD_NAME)));
    const ids = new Set<string>();
    let transcripts = 0;
    for (let index = 0; index < total; index += 1) {
      const found = checkSession(await readJson(await next(sessionName(index))), ids);
      transcripts += found.transcripts.length;
      if (transcripts > MAX_TRANSCRIPTS) throw notBundle(`it has more than ${MAX_TRANSCRIPTS} transcripts`);
      await reader.session(found, total);
      for (const about of found.transcripts) {
        const entry = await next(transcriptName(index, about));
        if (entry.bytes !== about.bytes || entry.bytes > MAX_SHARED_BYTES)
          throw notBundle(`${entry.name} has ${entry.bytes} bytes`);
        await reader.transcript(about, verified(entry, about));
      }
    }
    if ((await rest.next()).done !== true) throw notBundle('it has entries after the last session');
  } finally {
    await rest.return?.();
  }
}

function readHead(value: unknown) {
  const head = headSchema.safeParse(value);
  if (!head.success) throw notBundle(`${HEAD_NAME} is malformed`);
  if (head.data.version <= BUNDLE_VERSION) return head.data;
  throw new SmartForkError(
    'USAGE',
    `the bundle has format version ${head.data.version}; this smart-fork supports version ${BUNDLE_VERSION}`,
    {
      hint: 'Update smart-fork. Nothing was imported.',
    },
  );
}

/** Ids become file names, so two ids must not differ only in case. Names like `_<hash>` are reserved. */
function isUsable(id: string, ids: Set<string>): boolean {
  const isName = id.length <= 300 && !/[/\\\p{Cc}]|^\.|^_[0-9a-f]{64}$/iu.test(id);
  return isName && ownerOf(id) === id && !ids.has(id.toLowerCase());
}

function checkSession(value: unknown, ids: Set<string>): BundledSession {
  const parsed = sessionSchema.safeParse(value);
  if (!parsed.success) throw notBundle('a session record is malformed');
  const { payload: session, isWhole } = readSessionPayload(parsed.data.session, false);
  if (session === null || !isWhole) throw notBundle('the payload of a session record is malformed');
  const id = session.session_id;
  if (!isUsable(id, ids)) throw notBundle(`${JSON.stringify(id)} cannot be the id of a session`);
  ids.add(id.toLowerCase());
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
    if (!isOurs || seen.has(key)) throw notBundle(`a passage of session ${session_id} is malformed`);
    seen.add(key);
    return knownFields(payload);
  });
}

async function readJson({ name, bytes, content }: BundleEntry): Promise<unknown> {
  if (bytes > LARGEST_SESSION) throw notBundle(`${name} has ${bytes} bytes`);
  const parts: Uint8Array[] = [];
  let values = 0;
  for await (const part of content) {
    parts.push(part);
    values += countValues(part);
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
  return new SmartForkError('USAGE', `not a smart-fork bundle, or a damaged one: ${reason}`, {
    hint: 'Nothing was imported. smart-fork export --bundle FILE creates one.',
  });
}
