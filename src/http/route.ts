import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import * as z from 'zod';
import type { HttpDependencies, RequestContext } from './context.ts';
import { problemDocument } from './problem.ts';

type Shape = z.ZodObject;
/** A zod schema, or a JSON schema that refers to the document's components. */
type Output = z.ZodType | { allOf: object[] };

interface RouteInput<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  deps: HttpDependencies;
}

interface RouteSpecification<P extends Shape, Q extends Shape, B extends Shape, O extends Output> {
  method: 'get' | 'post' | 'put';
  path: string;
  summary: string;
  tag: string;
  params?: P;
  query?: Q;
  body?: B;
  output: O;
  status?: 200 | 202;
  run(
    input: RouteInput<z.output<P>, z.output<Q>, z.output<B>>,
    open: RequestContext,
  ): Promise<O extends z.ZodType ? z.input<O> : unknown>;
}

/** A route that checks its input and is described in /openapi.json. */
export interface Route {
  add(app: OpenAPIHono, deps: HttpDependencies): void;
}

export function defineRoute<P extends Shape, Q extends Shape, B extends Shape, O extends Output>(
  specification: RouteSpecification<P, Q, B, O>,
): Route {
  const { method, path, summary, tag, params, query, body, output, status = 200, run } = specification;
  const route = createRoute({
    method,
    path,
    summary,
    tags: [tag],
    operationId: operationId(method, path),
    request: {
      params: params ?? z.object({}),
      // A mistyped filter must be an error.
      query: (query ?? z.object({})).strict(),
      body:
        body === undefined
          ? undefined
          : { content: { 'application/json': { schema: body.strict() } }, required: true },
    },
    responses: {
      [status]: { description: summary, content: { 'application/json': { schema: output } } },
      default: {
        description: 'what went wrong',
        content: { 'application/problem+json': { schema: problemDocument } },
      },
    },
  });
  return {
    add(app, deps) {
      app.openapi(route, (async (c: Context) => {
        const valid = (target: 'param' | 'query' | 'json', wanted: unknown) =>
          wanted === undefined ? {} : c.req.valid(target as never);
        const input = {
          params: valid('param', params),
          query: valid('query', query),
          body: valid('json', body),
          deps,
        };
        // The input was checked against the schemas from which the types are derived.
        const answer = await deps.parts.use((open) =>
          // Programs send the token, the page its cookie.
          run(input as Parameters<typeof run>[0], {
            ...open,
            fromPage: c.req.header('authorization') === undefined,
          }),
        );
        return c.json(answer as object, status);
      }) as never);
    },
  };
}

function operationId(method: string, path: string): string {
  return [method, ...path.split('/').filter(Boolean)].map((part) => part.replace(/[^\w]/g, '')).join('_');
}
