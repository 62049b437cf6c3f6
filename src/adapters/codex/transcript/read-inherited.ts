import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import type { LinePlace, TranscriptFile } from '../../../ports/transcript-source.ts';
import type { Rollouts } from '../files/read-file.ts';
import { readMeta, type SessionMeta } from './read-head.ts';
import { readTranscript } from './read-transcript.ts';

/** See TranscriptSource.readInherited. */
export function readInherited(
  filesOf: (path: string) => Rollouts,
  file: TranscriptFile,
  siblings: TranscriptFile[],
  onEvent: (event: TranscriptEvent, place: LinePlace) => void,
): string[] {
  const missingParents: string[] = [];
  for (const { path, endOrdinal } of inheritedParts(
    filesOf,
    readMeta(filesOf(file.path)),
    siblings,
    missingParents,
  )) {
    const request = { from: 0, linesBefore: 0, inheritedBytes: Number.POSITIVE_INFINITY, name: null };
    readTranscript(filesOf(path), { ...request, endOrdinal }, (event, offset) => {
      if (INHERITED.has(event.kind)) onEvent(event, { path, offset });
    });
  }
  return missingParents;
}

/** The events that a fork inherits. It has its own title and context. */
const INHERITED = new Set<TranscriptEvent['kind']>(['message', 'file', 'commit', 'rewound']);

/**
 * The parents' transcripts that a fork continues, oldest first. Ordinals continue from parent to child, so the lowest end so far
 * is the limit for each of them.
 */
function inheritedParts(
  filesOf: (path: string) => Rollouts,
  meta: SessionMeta | null,
  siblings: TranscriptFile[],
  missingParents: string[],
): { path: string; endOrdinal: number }[] {
  const parts: { path: string; endOrdinal: number }[] = [];
  const seen = new Set(meta === null ? [] : [meta.id]);
  let endOrdinal = Number.POSITIVE_INFINITY;
  for (let base = meta?.base ?? null; base !== null && !seen.has(base.parentId); ) {
    const { parentId } = base;
    seen.add(parentId);
    endOrdinal = Math.min(endOrdinal, base.endOrdinal);
    const parent = siblings.find((sibling) => sibling.sessionId === parentId);
    if (parent === undefined) {
      missingParents.push(parentId);
      break;
    }
    parts.unshift({ path: parent.path, endOrdinal });
    base = readMeta(filesOf(parent.path))?.base ?? null;
  }
  return parts;
}
