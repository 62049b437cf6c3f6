import type { OpenAPIHono } from '@hono/zod-openapi';
import { streamSSE } from 'hono/streaming';
import type { HttpDependencies } from '../context.ts';
import type { LiveEvent } from '../live-events.ts';
import { HttpProblem, problemDocument } from '../problem.ts';
import { isKnown } from '../security/guard.ts';

const HEARTBEAT_MS = 15_000;
/** A client that reads more slowly loses the oldest events. */
const MAX_QUEUED = 200;

/** Server-sent events: `hello`, `session`, `index`, and a comment every 15 seconds. A client that is signed out gets no more. */
export function addEventStream(app: OpenAPIHono, { live, login, version }: HttpDependencies): void {
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/api/v1/events',
    operationId: 'get_api_v1_events',
    tags: ['state'],
    summary: 'Server-sent events: hello, session (a session changed), index (progress)',
    responses: {
      200: { description: 'the stream', content: { 'text/event-stream': { schema: { type: 'string' } } } },
      default: {
        description: 'what went wrong',
        content: { 'application/problem+json': { schema: problemDocument } },
      },
    },
  });
  app.get('/api/v1/events', (c) => {
    const unknown = Object.keys(c.req.query());
    if (unknown.length > 0)
      throw new HttpProblem(400, 'USAGE', `invalid arguments: unknown: ${unknown.join(', ')}`);
    // Nothing reads a stream here, so nothing would end it.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': 'text/event-stream' });
    const queue: LiveEvent[] = [];
    let wake: () => void = () => undefined;
    const stop = live.listen((event) => {
      queue.push(event);
      if (queue.length > MAX_QUEUED) queue.shift();
      wake();
    });
    if (stop === null) throw new HttpProblem(503, 'TOO_MANY', 'too many event clients');
    return streamSSE(c, async (stream) => {
      stream.onAbort(() => wake());
      try {
        await stream.writeSSE({ event: 'hello', data: JSON.stringify({ version }) });
        while (!stream.aborted && !stream.closed && isKnown(c, login)) {
          const next = queue.shift();
          if (next !== undefined)
            await stream.writeSSE({ event: next.event, data: JSON.stringify(next.data) });
          else if (!(await woken())) await stream.write(': still here\n\n');
        }
      } finally {
        stop();
      }
    });

    /** False after some time without an event. */
    function woken(): Promise<boolean> {
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), HEARTBEAT_MS);
        wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
    }
  });
}
