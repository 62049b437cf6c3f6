import { askSocket } from '../../adapters/serve/ask-socket.ts';
import type { SearchRequest } from '../../app/search/search-sessions.ts';
import type { Config } from '../../config/config.ts';
import { listSettings } from '../../config/list-settings.ts';
import { type ErrorCode, SmartForkError } from '../../domain/errors.ts';
import type { SearchResponse } from '../../domain/search-result.ts';

/** What a command asks the server, which has the store open and the model loaded. */
export interface WarmQuestion {
  /** The server answers only commands with its own settings and version. */
  as: string;
  search: SearchRequest;
}

/** What a search found, and its ids as this machine's index shortens them: the command then opens no store. */
export interface WarmResult {
  found: SearchResponse;
  short_ids: Record<string, string>;
}

export type WarmAnswer =
  | WarmResult
  | { error: { code: ErrorCode; message: string; hint?: string } }
  | { refused: true };

/**
 * Searches in the server of this machine; null if none runs, or it has other settings.
 * @throws SmartForkError as `searchSessions`
 */
export async function searchInServer(
  config: Config,
  version: string,
  search: SearchRequest,
): Promise<WarmResult | null> {
  const question: WarmQuestion = { as: identityOf(config, version), search };
  const answer = (await askSocket(config.home, question)) as WarmAnswer | null;
  if (answer === null || typeof answer !== 'object' || 'refused' in answer) return null;
  if ('found' in answer) return answer;
  const { code, message, hint } = answer.error;
  throw new SmartForkError(code, message, hint === undefined ? {} : { hint });
}

/** The ids that are printed with a search's results. */
export function idsIn({ results }: SearchResponse): string[] {
  return results.flatMap((one) => [one.session_id, one.parent_session_id ?? [], one.family ?? []].flat());
}

/** Settings decide what a search finds and which commands it names. */
export function identityOf(config: Config, version: string): string {
  const { modelDirectory, cacheDirectory } = config.embedding;
  const values = listSettings(config).map(({ key, value }) => [key, value]);
  return JSON.stringify([version, config.home, modelDirectory, cacheDirectory, values]);
}
