import { OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import { SmartForkError } from '../domain/errors.ts';
import { forkTree } from '../domain/json/fork.ts';
import { OUR_WORDS, schemaProblems } from '../domain/text/schema-problems.ts';
import type { HttpDependencies } from './context.ts';
import { HttpProblem, problemOf, problemResponse } from './problem.ts';
import { ROUTES } from './routes/all-routes.ts';
import { addEventStream } from './routes/event-stream.ts';
import { addLogin } from './routes/login-routes.ts';
import { addMcp } from './routes/mcp-route.ts';
import { addPage } from './routes/page-files.ts';
import { bounded } from './security/bodies.ts';
import { guard } from './security/guard.ts';
import { securityHeaders } from './security/headers.ts';

// The framework checks arguments without options of its own.
z.config({ customError: OUR_WORDS.error });

/** The complete interface: REST, events, MCP and the page. */
export function createApp(deps: HttpDependencies): OpenAPIHono {
  const app = new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success)
        throw new SmartForkError('USAGE', `invalid arguments: ${schemaProblems(result.error)}`);
    },
  });
  app.onError((error) => problemResponse(problemOf(ofFramework(error), deps.log)));
  app.notFound(({ req }) => {
    const methods = methodsAt(app, req.path);
    if (methods === '')
      return problemResponse(problemOf(new HttpProblem(404, 'NOT_FOUND', 'no such path'), deps.log));
    const refusal = new HttpProblem(405, 'USAGE', `${req.method} is not allowed here; use ${methods}`);
    const response = problemResponse(problemOf(refusal, deps.log));
    response.headers.set('allow', methods);
    return response;
  });
  app.use(securityHeaders);
  app.use(guard(deps.login, deps.isOurHost));
  app.use(bounded);
  // First, because any request that the guard lets pass without a token must be for a file of the page.
  addPage(app, deps.pageFolder);
  for (const route of ROUTES) route.add(app, deps);
  addEventStream(app, deps);
  addLogin(app, deps);
  addMcp(app, deps);
  addDocument(app, deps.version);
  return app;
}

/** The methods of the routes at a path, as listed in the Allow header; empty if there is no route. */
function methodsAt({ routes }: OpenAPIHono, path: string): string {
  // Routes with `*` belong to the page and the guard.
  const here = routes.filter(
    (route) => !route.path.includes('*') && isRouteOf(route.path.split('/'), path.split('/')),
  );
  return [...new Set(here.map(({ method }) => method))].join(', ');
}

function isRouteOf(route: string[], path: string[]): boolean {
  const isSame = (part: string, at: number) => (part.startsWith(':') ? path[at] !== '' : part === path[at]);
  return route.length === path.length && route.every(isSame);
}

/** Recognizes the framework's error for a body that is not JSON, and Node's for one whose client has left. */
function ofFramework(error: unknown): unknown {
  // Those of connections to other servers are SmartForkErrors here.
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
    return new HttpProblem(400, 'USAGE', 'the client left before the request was complete');
  const isRefusal = error instanceof Error && 'status' in error && !(error instanceof HttpProblem);
  if (!isRefusal || error instanceof SmartForkError) return error;
  const status = Number(error.status);
  if (status === 415)
    return new HttpProblem(
      415,
      'USAGE',
      'the body must be JSON',
      'Send the header Content-Type: application/json.',
    );
  return status >= 400 && status < 500 ? new HttpProblem(status, 'USAGE', error.message) : error;
}

function addDocument(app: OpenAPIHono, version: string): void {
  // The generator does not support recursive schemas.
  const registry = z.registry<{ id: string }>();
  registry.add(forkTree, { id: 'ForkTree' });
  const { schemas } = z.toJSONSchema(registry, {
    // An answer may contain more than the tree.
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
  });
  const { $schema: _, $id: __, ...tree } = schemas.ForkTree ?? {};
  app.openAPIRegistry.registerComponent('schemas', 'ForkTree', tree as object);
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: {
      title: 'smart-fork',
      version,
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
  });
}
