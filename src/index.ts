import { createTurnCache } from './app/read/turns/open-turns.ts';
import type { ForkParts } from './compose/fork.ts';
import { openOperations } from './compose/operations.ts';
import { compose } from './compose/parts.ts';
import { type Config, loadConfig } from './config/config.ts';
import { processEnvironment } from './config/environment.ts';
import { OPERATIONS } from './operations/all-operations.ts';
import { type Caller, program } from './operations/caller.ts';
import type { Fields, Given } from './operations/fields.ts';
import { type Operation, perform } from './operations/operation.ts';

export { type Config, loadConfig } from './config/config.ts';
export { type ErrorCode, SmartForkError } from './domain/errors.ts';
export type { SearchResponse, SearchResult } from './domain/search-result.ts';
export { OPERATIONS } from './operations/all-operations.ts';
export type { Caller } from './operations/caller.ts';
export type { Field, Fields, Given } from './operations/fields.ts';
export type { Operation } from './operations/operation.ts';

type Method<F extends Fields, Answer> =
  Record<never, never> extends Given<F>
    ? (given?: Given<F>, options?: CallOptions) => Promise<Answer>
    : (given: Given<F>, options?: CallOptions) => Promise<Answer>;

export interface CallOptions {
  /** Ends an operation that takes long. */
  signal?: AbortSignal;
}

type Methods = {
  [Name in keyof typeof OPERATIONS]: (typeof OPERATIONS)[Name] extends Operation<infer F, infer Answer>
    ? Method<F, Answer>
    : never;
};

/** smart-fork as a library: a method for each operation. Each may throw SmartForkError. */
export interface SmartFork extends Methods {
  close(): Promise<void>;
}

/**
 * Opens smart-fork. No store, model or server is opened before a method needs it.
 * @param config defaults to the user's settings
 */
export async function openSmartFork(config?: Config): Promise<SmartFork> {
  const parts = await compose(config ?? (await loadConfig()));
  let forking: Promise<ForkParts> | null = null;
  const open = openOperations(parts, {
    cache: createTurnCache(),
    async fork() {
      forking ??= import('./compose/fork.ts').then(({ composeFork }) =>
        composeFork(parts, processEnvironment(), () => undefined),
      );
      return (await forking).dependencies();
    },
  });
  const caller = program(process.cwd());
  const methods = Object.entries(OPERATIONS).map(([name, operation]) => [
    name,
    methodOf(operation as unknown as Operation<Fields>, caller),
  ]);
  const close = async () => {
    (await forking)?.close();
    await parts.close();
  };
  return { ...(Object.fromEntries(methods) as Methods), close };

  function methodOf(operation: Operation<Fields>, as: Caller) {
    return (given: Given<Fields> = {}, options: CallOptions = {}) =>
      perform(operation, open, given, { ...as, ...options });
  }
}
