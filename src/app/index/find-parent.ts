import { SmartForkError } from '../../domain/errors.ts';
import { addEvent, emptyDraft } from '../../domain/session/draft.ts';
import type { TurnCopy } from '../../ports/fork-journal.ts';
import type { IndexState } from '../../ports/index-state.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { TimeLimit } from '../../ports/time-limit.ts';
import type { Inheritance, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { getSession } from '../sessions/get-session.ts';

/** A transcript's origin: the fingerprint of its head, the lines copied from a parent (or null), and the turns found only in its parents. */
export interface Origin {
  fingerprint: string | null;
  inheritance: Inheritance | null;
  turnsBefore: number;
}

export type FindParent = (
  source: TranscriptSource,
  file: TranscriptFile,
  limit: TimeLimit,
) => Promise<Origin>;

/**
 * Looks for parents among all transcripts of this machine. They are listed only when a transcript is read from its beginning.
 * The heads of indexed transcripts are stored; those of others are read once.
 * Lines copied from a parent are indexed only with the parent, if it is on this machine or indexed.
 */
export function createFindParent(
  deps: { store: PointStore; state: IndexState },
  findAll: () => TranscriptFile[],
  isNoted: (path: string) => boolean,
): FindParent {
  const heads = new Map<string, TranscriptFile[]>();
  const fingerprints = new Map<string, string>();
  const grouped = new Set<string>();
  return async (source, file, limit) => {
    const all = findAll();
    if (!grouped.has(source.agent)) {
      groupByFingerprint(
        source,
        all.filter(({ path }) => !isNoted(path)),
        heads,
        fingerprints,
      );
    }
    grouped.add(source.agent);
    const fingerprint = fingerprints.get(file.path) ?? limit.run(() => source.head(file).fingerprint);
    const siblings = new Set(fingerprint === null ? [] : (heads.get(fingerprint) ?? []));
    const known = new Set(
      fingerprint === null ? [] : deps.state.withFingerprint(fingerprint).map(({ path }) => path),
    );
    for (const other of all) if (known.has(other.path)) siblings.add(other);
    const copy = deps.state.copyOf(file.sessionId);
    const find = () => source.findInheritance(file, [...siblings]);
    const end = copy === null ? file.size : limit.run(() => source.endOf?.(file.path) ?? file.size);
    const found = inheritanceOf(copy, end, () => limit.run(find));
    if (found === null) return { fingerprint, inheritance: null, turnsBefore: 0 };
    // An unused copy adds nothing, wherever its parent is.
    const isUnused = copy?.bytes === end;
    const isHere = all.some(({ sessionId }) => sessionId === found.parentId);
    const isLeft = isUnused || isHere || (await getSession(deps.store, found.parentId)) !== null;
    return {
      fingerprint,
      inheritance: isLeft ? found : { ...found, inheritedBytes: 0 },
      turnsBefore: limit.run(() => countTurnsBefore(source, file, all)),
    };
  };
}

/** The journal takes precedence over the transcript: copied lines may come from the parent's own parent. */
function inheritanceOf(
  copy: TurnCopy | null,
  end: number,
  read: () => Inheritance | null,
): Inheritance | null {
  if (copy === null) return read();
  // If the file is shorter, it is no longer the copy that was written.
  const inheritedBytes =
    copy.bytes !== null && copy.bytes <= end ? copy.bytes : (read()?.inheritedBytes ?? 0);
  return { parentId: copy.parentId, inheritedBytes };
}

function groupByFingerprint(
  source: TranscriptSource,
  all: TranscriptFile[],
  heads: Map<string, TranscriptFile[]>,
  fingerprints: Map<string, string>,
): void {
  for (const file of all) {
    if (file.agent !== source.agent) continue;
    const known = fingerprintOf(source, file);
    if (known !== null) fingerprints.set(file.path, known);
    const fingerprint = known ?? '';
    heads.set(fingerprint, [...(heads.get(fingerprint) ?? []), file]);
  }
}

function fingerprintOf(source: TranscriptSource, file: TranscriptFile): string | null {
  try {
    return source.head(file).fingerprint;
  } catch {
    // Reading the file itself will fail too and be reported there.
    return null;
  }
}

/**
 * Counts the turns that a fork inherits but that only its parents' transcripts contain. Parents that are not on this machine are not
 * counted.
 */
function countTurnsBefore(
  source: Pick<TranscriptSource, 'readInherited'>,
  file: TranscriptFile,
  siblings: TranscriptFile[],
): number {
  const draft = emptyDraft();
  try {
    source.readInherited?.(file, siblings, (event) => addEvent(draft, event));
  } catch (error) {
    // The fork can still be indexed; the parent's failure is reported when the parent is indexed.
    if (!(error instanceof SmartForkError)) throw error;
  }
  return draft.inheritedTurns;
}
