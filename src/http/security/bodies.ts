import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HttpProblem } from '../problem.ts';

export const MAX_BODY_BYTES = 1024 * 1024;
/** The same limit as over stdio. */
export const MAX_MCP_BYTES = 16 * 1024 * 1024;

/** Rejects a body that is too long, immediately if its length is announced. `bodyLimit` does so too, but opens the body first, which costs a millisecond. */
export const bounded: MiddlewareHandler = (c, next) => {
  const maxSize = c.req.path === '/mcp' ? MAX_MCP_BYTES : MAX_BODY_BYTES;
  const announced = c.req.header('content-length');
  if (announced !== undefined && c.req.header('transfer-encoding') === undefined)
    return Number(announced) > maxSize ? refuse(maxSize) : next();
  return bodyLimit({ maxSize, onError: () => refuse(maxSize) })(c, next);
};

function refuse(maxSize: number): never {
  throw new HttpProblem(413, 'TOO_LARGE', `the request body is too large; the limit is ${maxSize} bytes`);
}
