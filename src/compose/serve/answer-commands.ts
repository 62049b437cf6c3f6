import { answerSocket } from '../../adapters/serve/answer-socket.ts';
import type { SearchRequest } from '../../app/search/search-sessions.ts';
import type { Config } from '../../config/config.ts';
import { SmartForkError } from '../../domain/errors.ts';
import {
  identityOf,
  type SignInAnswer,
  type SignInQuestion,
  type SignInWay,
  type WarmAnswer,
  type WarmQuestion,
  type WarmResult,
} from './ask-server.ts';

/** Answers searches from commands with the same settings and version, and signs browsers in; null if that is not possible. */
export function answerCommands(
  home: string,
  version: string,
  signIn: (way: SignInWay) => string,
  search: (request: SearchRequest, isOurs: (config: Config) => boolean) => Promise<WarmResult | null>,
): Promise<{ close(): Promise<void> } | null> {
  return answerSocket(home, async (question): Promise<WarmAnswer | SignInAnswer> => {
    const { sign_in } = question as SignInQuestion;
    if (sign_in !== undefined) return { open: signIn(sign_in) };
    const { as, search: request } = question as WarmQuestion;
    try {
      const found = await search(request, (config) => identityOf(config, version) === as);
      return found ?? { refused: true };
    } catch (error) {
      if (!(error instanceof SmartForkError)) throw error;
      const { code, message, hint } = error;
      return { error: { code, message, hint } };
    }
  });
}
