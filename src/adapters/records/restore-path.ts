import type { CutRequest } from '../../ports/transcript-source.ts';
import { homeOf } from '../files/home-of.ts';

/** @param former where the session was: it is restored into the same home, or the first */
type RestorePath = (sessionId: string, cwd: string, ...former: string[]) => string;

export function restoringTo(
  { restorePath }: { restorePath?(home: string, sessionId: string, cwd: string): string },
  homes: string[],
): RestorePath | undefined {
  return (
    restorePath && ((sessionId, cwd, ...former) => restorePath(homeOf(homes, ...former), sessionId, cwd))
  );
}

/** Where a shortened copy of a transcript is written. */
export function placeOfCopy(
  restorePath: RestorePath,
  path: string,
  { sessionId, workingDirectory, former = '' }: CutRequest,
): string {
  return restorePath(sessionId, workingDirectory, path, former);
}
