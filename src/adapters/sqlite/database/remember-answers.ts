import type { Database } from './open-database.ts';

/** Caches answers until the database changes. They are shared, so callers must not modify them. */
type RememberAnswers = <T>(question: string, answer: () => T) => T;

/** @param most maximum number of answers to cache */
export function rememberAnswers(database: Database, most: number): RememberAnswers {
  const known = new Map<string, unknown>();
  const state = stateOf(database);
  let knownAt = '';
  return <T>(question: string, answer: () => T) => {
    const now = state();
    if (now !== knownAt) known.clear();
    knownAt = now;
    const found = (known.has(question) ? known.get(question) : answer()) as T;
    known.delete(question);
    const [leastRecent] = known.keys();
    if (leastRecent !== undefined && known.size >= most) known.delete(leastRecent);
    known.set(question, found);
    return found;
  };
}

/** Returns a value that differs after every change to the database, by this connection or another one. */
export function stateOf(database: Database): () => string {
  const others = database.prepare('PRAGMA data_version');
  const own = database.prepare('SELECT total_changes() AS n');
  return () => `${others.get()?.data_version} ${own.get()?.n}`;
}
