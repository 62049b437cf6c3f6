import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { HttpProblem } from '../problem.ts';
import type { Login } from './login.ts';

/**
 * Accepts a request if it was sent to this server's name (a foreign name that resolves to it is DNS rebinding), comes from no other site,
 * and has the token or the cookie. The page's own files need neither.
 */
export function guard(login: Login, isOurHost: (host: string) => boolean): MiddlewareHandler {
  return async (c, next) => {
    const url = new URL(c.req.url);
    checkHost(c, isOurHost);
    checkOrigin(c, url);
    checkQuery(url);
    if (!isOpen(c) && !isKnown(c, login)) throw unknownClient();
    await next();
  };
}

function checkHost(c: Context, isOurHost: (host: string) => boolean): void {
  const host = c.req.header('host') ?? '';
  if (!isOurHost(host.toLowerCase()))
    throw new HttpProblem(
      421,
      'FOREIGN_HOST',
      `the Host header ${shown(host)} is not this server’s`,
      'Use the URL that smart-fork serve printed. An SSH tunnel needs the same port on both sides.',
    );
}

/** Checks what browsers report about a request: the origin of a script or form, and its relation to this site. */
function checkOrigin(c: Context, url: URL): void {
  const origin = c.req.header('origin');
  if (origin !== undefined && origin !== url.origin)
    throw new HttpProblem(403, 'FOREIGN_ORIGIN', `requests from ${shown(origin)} are refused`);
  const site = c.req.header('sec-fetch-site');
  const isForeign = site === 'cross-site' || site === 'same-site';
  // A link to the page may come from any site.
  const isLink = c.req.method === 'GET' && c.req.header('sec-fetch-mode') === 'navigate';
  if (isForeign && !(isLink && wantsPage(c)))
    throw new HttpProblem(403, 'FOREIGN_ORIGIN', 'requests from other sites are refused');
}

const SECRETS = ['token', 'access_token', 'api_key', 'key', 'code', 'authorization', 'bearer'];

/** Refuses tokens in URLs, which end up in histories and logs. */
function checkQuery({ searchParams }: URL): void {
  const found = SECRETS.find((name) => searchParams.has(name));
  if (found === undefined) return;
  throw new HttpProblem(
    400,
    'TOKEN_IN_ADDRESS',
    `"${found}" is not accepted in the URL: URLs end up in logs and histories`,
    'Send the header Authorization: Bearer TOKEN.',
  );
}

function isOpen(c: Context): boolean {
  if (c.req.path === '/auth/exchange') return c.req.method === 'POST';
  return wantsPage(c);
}

/**
 * Whether a request is for the page, which contains no data: anything outside the interface. Some routes from the requirements have the
 * same paths as the page; a browser that opens one gets the page.
 */
export function wantsPage(c: Context): boolean {
  const { method, path } = c.req;
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (/^\/(?:api|auth|mcp|openapi\.json)(?:\/|$)/.test(path)) return false;
  return (
    !/^\/(?:chunks|sessions|stats)(?:\/|$)/.test(path) ||
    c.req.header('accept')?.includes('text/html') === true
  );
}

/** For what a cookie is not enough. */
export function requireToken(login: Login): MiddlewareHandler {
  return async (c, next) => {
    if (!hasToken(c, login)) throw unknownClient();
    await next();
  };
}

/** Whether the client has the token, or a cookie whose login was not ended. */
export function isKnown(c: Context, login: Login): boolean {
  if (c.req.header('authorization') !== undefined) return hasToken(c, login);
  const cookie = getCookie(c, login.cookieName);
  return cookie !== undefined && login.acceptsCookie(cookie);
}

function hasToken(c: Context, login: Login): boolean {
  const token = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  return token !== undefined && login.acceptsToken(token);
}

function unknownClient(): HttpProblem {
  return new HttpProblem(
    401,
    'UNAUTHORIZED',
    'missing or invalid token',
    "In a browser: run smart-fork serve --open. For programs: the token is in serve-token in smart-fork's home.",
  );
}

function shown(origin: string): string {
  return JSON.stringify(origin.slice(0, 100));
}
