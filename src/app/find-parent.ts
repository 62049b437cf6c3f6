import type { FileStamp, IndexState } from '../ports/index-state.ts';
import type { PointStore } from '../ports/point-store.ts';
import type { Inheritance, TranscriptFile, TranscriptSource } from '../ports/transcript-source.ts';

interface Dependencies {
  store: PointStore;
  state: IndexState;
  sources: TranscriptSource[];
}

/** The other transcripts here: looked for when one is read from its beginning, not for each turn of a session. */
export interface Others {
  all(): TranscriptFile[];
  /** Those that begin with the same message and that nothing is noted of yet. */
  sharing(source: TranscriptSource, fingerprint: string): TranscriptFile[];
}

export function createOthers(
  deps: Pick<Dependencies, 'sources'>,
  known: Map<string, FileStamp>,
  onProblem: (path: string, reason: string) => void,
): Others {
  let found: TranscriptFile[] | null = null;
  let heads: Map<string, TranscriptFile[]> | null = null;
  const all = () => {
    found ??= deps.sources.flatMap((source) => source.find(onProblem));
    return found;
  };
  return {
    all,
    sharing(source, fingerprint) {
      heads ??= groupByFingerprint(
        deps.sources,
        all().filter(({ path }) => !known.has(path)),
      );
      return (heads.get(fingerprint) ?? []).filter(({ agent }) => agent === source.agent);
    },
  };
}

/** Copied lines are left to the parent, but only where the parent is here or was indexed: nothing may be lost. */
export async function inheritanceOf(
  deps: Dependencies,
  source: TranscriptSource,
  file: TranscriptFile,
  fingerprint: string | null,
  others: Others,
): Promise<Inheritance | null> {
  const siblings = new Set(fingerprint === null ? [] : others.sharing(source, fingerprint));
  const paths = new Set(fingerprint === null ? [] : deps.state.sharing(fingerprint).map(({ path }) => path));
  if (paths.size > 0) for (const other of others.all()) if (paths.has(other.path)) siblings.add(other);
  const found = source.findInheritance(file, [...siblings]);
  if (found === null) return null;
  const isHere = others.all().some(({ sessionId }) => sessionId === found.parentId);
  if (isHere || (await deps.store.getSession(found.parentId)) !== null) return found;
  return { ...found, inheritedBytes: 0 };
}

function groupByFingerprint(
  sources: TranscriptSource[],
  files: TranscriptFile[],
): Map<string, TranscriptFile[]> {
  const heads = new Map<string, TranscriptFile[]>();
  for (const file of files) {
    const source = sources.find(({ agent }) => agent === file.agent);
    const fingerprint = source === undefined ? null : fingerprintOf(source, file);
    if (fingerprint !== null) heads.set(fingerprint, [...(heads.get(fingerprint) ?? []), file]);
  }
  return heads;
}

function fingerprintOf(source: TranscriptSource, file: TranscriptFile): string | null {
  try {
    return source.head(file).fingerprint;
  } catch {
    // Reading the file itself will fail too, and is reported there.
    return null;
  }
}
