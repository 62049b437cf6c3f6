import type { OpenAPIHono } from '@hono/zod-openapi';
import { setCookie } from 'hono/cookie';
import * as z from 'zod';
import { browserOf } from '../../domain/machine/browser-of.ts';
import type { HttpDependencies } from '../context.ts';
import { HttpProblem } from '../problem.ts';
import { requireToken } from '../security/guard.ts';
import { COOKIE_SECONDS } from '../security/login.ts';

const exchange = z.strictObject({ code: z.string().min(10).max(200) });

/** Exchanges a one-time code for a cookie, and creates codes for clients that have the token: a cookie must not outlive its end. */
export function addLogin(app: OpenAPIHono, { login }: HttpDependencies): void {
  app.post('/auth/exchange', async (c) => {
    const given = exchange.safeParse(await c.req.json().catch(() => null));
    const browser = browserOf(c.req.header('user-agent') ?? '');
    const cookie = given.success ? login.exchange(given.data.code, browser) : null;
    if (cookie === null) {
      const hint = 'Run smart-fork serve --open again.';
      throw new HttpProblem(
        401,
        'UNAUTHORIZED',
        'the sign-in code is invalid, expired or already used',
        hint,
      );
    }
    const options = { path: '/', httpOnly: true, sameSite: 'Strict', maxAge: COOKIE_SECONDS } as const;
    setCookie(c, login.cookieName, cookie, options);
    return c.body(null, 204);
  });
  app.post('/auth/code', requireToken(login), (c) => c.json({ code: login.createCode() }));
}
