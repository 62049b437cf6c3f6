import type { TokenStatistics } from '../../../domain/search/search.ts';
import type { Connection } from '../http/connection.ts';
import { anyOf } from '../schema/filters.ts';
import { documentFrequency } from './document-frequency.ts';

/** How many sessions and chunks there are, and how many of them contain each token. */
export async function tokenStatistics(
  connection: Connection,
  hash: (token: string) => number,
  tokens: string[],
  only?: 'chunks' | 'sessions',
): Promise<TokenStatistics> {
  const unique = [...new Set(tokens)];
  const [types, sessionsWith, chunksWith] = await Promise.all([
    connection.facet('type', { must: [anyOf('type', ['session', 'chunk'])] }),
    documentFrequency(connection, hash, only === 'chunks' ? [] : unique, 'session'),
    documentFrequency(connection, hash, only === 'sessions' ? [] : unique, 'chunk'),
  ]);
  const of = (type: string) => types.find(({ value }) => value === type)?.count ?? 0;
  return { sessionCount: of('session'), chunkCount: of('chunk'), sessionsWith, chunksWith };
}
