import { unexpected } from './check-answer.ts';
import { AnswerTooLongError } from './retry.ts';

type Dispatcher = NonNullable<RequestInit['dispatcher']>;
type Handler = Record<string, ((...given: unknown[]) => unknown) | undefined>;

/** Stands for a 429, of whose Retry-After the client would keep only the first digit. */
export const RATE_LIMITED = 599;

/**
 * Sends with Node's own dispatcher, which knows the user's proxy, and breaks off an answer of more than `limit` bytes. A time limit
 * does not stop a fast endless server, because timers do not fire while data arrives. A compressed answer, which is never asked for,
 * could unpack to a thousand times as much, and is refused.
 */
export function dispatcherWithin(limit: number): Dispatcher {
  let left = limit;
  const count = (given: unknown[]) => {
    const piece = given.at(-1);
    left -= piece instanceof Uint8Array ? piece.length : 0;
    if (left < 0) throw new AnswerTooLongError(limit);
    return given;
  };
  const replace = (given: unknown[]) => {
    if (given.some(namesCompression)) throw unexpected('an answer that is not compressed');
    return given.map((value) => (value === 429 ? RATE_LIMITED : value));
  };
  const dispatch = (request: unknown, handler: Handler) => {
    // The names of Node 20 to 24, and those of Node 26.
    for (const name of ['onHeaders', 'onResponseStart']) intercept(handler, name, replace);
    for (const name of ['onData', 'onResponseData']) intercept(handler, name, count);
    return nodeDispatcher().dispatch(request, handler);
  };
  return { dispatch } as unknown as Dispatcher;
}

function intercept(handler: Handler, name: string, change: (given: unknown[]) => unknown[]): void {
  const method = handler[name];
  if (method === undefined) return;
  handler[name] = function (this: unknown, ...given) {
    return method.apply(this, change(given));
  };
}

/** Of the headers in either form: a list of names and values, or an object. */
function namesCompression(headers: unknown): boolean {
  if (typeof headers !== 'object' || headers === null) return false;
  const texts = Array.isArray(headers) ? headers.map(String) : Object.entries(headers).flat().map(String);
  const at = texts.findIndex((text) => text.toLowerCase() === 'content-encoding');
  return at >= 0 && texts[at + 1]?.toLowerCase() !== 'identity';
}

/** `fetch` keeps it where all copies of undici find it; from Node 24 on, the second place has the newer form. */
function nodeDispatcher(): { dispatch(request: unknown, handler: Handler): unknown } {
  const at = (form: number) => Reflect.get(globalThis, Symbol.for(`undici.globalDispatcher.${form}`));
  return at(2) ?? at(1);
}
