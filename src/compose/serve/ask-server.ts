import { askSocket } from '../../adapters/serve/ask-socket.ts';
import type { SearchRequest } from '../../app/search/search-sessions.ts';
import type { Config } from '../../config/config.ts';
import { listSettings } from '../../config/list-settings.ts';
import { type ErrorCode, SmartForkError } from '../../domain/errors.ts';
import type { SearchResponse } from '../../domain/search-result.ts';

/** A command's question to the server, which has the store open and the model loaded. */
export interface WarmQuestion {
  /** Identifies settings and version: the server answers only commands with the same ones. */
  as: string;
  search: SearchRequest;
}

/** The results of a search, and the short forms of their ids, so that the command need not open the store. */
export interface WarmResult {
  found: SearchResponse;
  short_ids: Record<string, string>;
}

export type WarmAnswer =
  | WarmResult
  | { error: { code: ErrorCode; message: string; hint?: string } }
  | { refused: true };

/** How a browser is signed in: by a page in a file of this user, or by an address for the user to open. */
export type SignInWay = 'page' | 'address';

export interface SignInQuestion {
  sign_in?: SignInWay;
}

export interface SignInAnswer {
  /** The page's file, or the address. */
  open: string;
}

/**
 * Asks this machine's server to sign a browser in; null if it does not answer. Asks at the socket, which only this user can have
 * created: a server of another user could listen at the port of one that was killed, and would get the token.
 */
export async function askToSignIn(home: string, sign_in: SignInWay): Promise<string | null> {
  const answer = (await askSocket(home, { sign_in })) as Partial<SignInAnswer> | null;
  return typeof answer?.open === 'string' ? answer.open : null;
}

/**
 * Searches in this machine's server; null if none is running, or its settings differ.
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

export function idsIn({ results }: SearchResponse): string[] {
  return results.flatMap((one) => [one.session_id, one.parent_session_id ?? [], one.family ?? []].flat());
}

/** Covers all settings, because they affect which sessions a search finds and which commands it prints. */
export function identityOf(config: Config, version: string): string {
  const { modelDirectory, cacheDirectory } = config.embedding;
  const values = listSettings(config).map(({ key, value }) => [key, value]);
  return JSON.stringify([version, config.home, modelDirectory, cacheDirectory, values]);
}
