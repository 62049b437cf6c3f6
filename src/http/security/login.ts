import { nodeCrypto } from '../../domain/text/hash.ts';
import type { PageLogins } from '../../ports/page-logins.ts';

/** Access control: clients need the token, or the cookie for which a one-time code was exchanged. */
export interface Login {
  readonly cookieName: string;
  /** A code that can be exchanged once, within a minute. `onEnd` is called when it no longer can. */
  createCode(onEnd?: () => void): string;
  /** The cookie's value; null if the code is unknown, used or expired. */
  exchange(code: string, browser: string | null): string | null;
  acceptsToken(token: string): boolean;
  acceptsCookie(value: string): boolean;
  /** Ends all codes. */
  close(): void;
}

interface Code {
  timer: NodeJS.Timeout;
  onEnd(): void;
}

/** A browser that is not running yet takes several seconds. */
const CODE_MS = 60_000;
const MAX_CODES = 20;
export const COOKIE_SECONDS = 30 * 86_400;

/**
 * Cookies stay valid across restarts of the server, until their login is ended, and expire with the token. Their name contains the
 * port, because browsers ignore it.
 */
export function createLogin(token: string, port: number, logins: PageLogins): Login {
  const codes = new Map<string, Code>();
  /** A login's id does not reveal the cookie. */
  const idOf = (cookie: string) =>
    nodeCrypto().createHmac('sha256', token).update(`${port} ${cookie}`).digest('hex').slice(0, 32);
  const take = (code: string) => {
    const known = codes.get(code);
    codes.delete(code);
    clearTimeout(known?.timer);
    known?.onEnd();
    return known !== undefined;
  };
  return {
    cookieName: `smart_fork_${port}`,
    createCode(onEnd = () => undefined) {
      for (const old of [...codes.keys()].slice(0, Math.max(0, codes.size - MAX_CODES + 1))) take(old);
      const code = randomText();
      codes.set(code, { timer: setTimeout(() => take(code), CODE_MS).unref(), onEnd });
      return code;
    },
    exchange(code, browser) {
      if (!take(code)) return null;
      const cookie = randomText();
      const expires = new Date(Date.now() + COOKIE_SECONDS * 1000).toISOString();
      logins.add(idOf(cookie), { expires, browser });
      return cookie;
    },
    acceptsToken: (given) => isSame(given, token),
    acceptsCookie: (value) => logins.use(idOf(value)),
    close() {
      for (const code of codes.keys()) take(code);
    },
  };
}

function randomText(): string {
  return nodeCrypto().randomBytes(24).toString('base64url');
}

/** Takes the same time for wrong and right values. */
function isSame(given: string, right: string): boolean {
  const digest = (text: string) => nodeCrypto().createHmac('sha256', 'compare').update(text).digest();
  return nodeCrypto().timingSafeEqual(digest(given), digest(right));
}
