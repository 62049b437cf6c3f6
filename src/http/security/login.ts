import { nodeCrypto } from '../../domain/point/hash.ts';

/** Who may ask: whoever has the token, or the cookie that a one-time code was exchanged for. */
export interface Login {
  readonly cookieName: string;
  /** A code that is good for one exchange within two minutes. */
  createCode(): string;
  /** The value of a cookie; null for a code that is unknown, used or too old. */
  exchange(code: string): string | null;
  acceptsToken(token: string): boolean;
  acceptsCookie(value: string): boolean;
}

const CODE_MS = 2 * 60_000;
const MAX_CODES = 20;
export const COOKIE_SECONDS = 30 * 86_400;

/** Cookies stay valid when the server starts again, and end with the token. The port is in their name: browsers ignore it. */
export function createLogin(token: string, port: number, now: () => number = Date.now): Login {
  const codes = new Map<string, number>();
  const signed = (expiry: number, nonce: string) =>
    `${expiry}.${nonce}.${nodeCrypto().createHmac('sha256', token).update(`${port} ${expiry} ${nonce}`).digest('base64url')}`;
  return {
    cookieName: `smart_fork_${port}`,
    createCode() {
      const code = nodeCrypto().randomBytes(24).toString('base64url');
      for (const old of [...codes.keys()].slice(0, Math.max(0, codes.size - MAX_CODES + 1)))
        codes.delete(old);
      codes.set(code, now() + CODE_MS);
      return code;
    },
    exchange(code) {
      const until = codes.get(code);
      codes.delete(code);
      if (until === undefined || until < now()) return null;
      return signed(
        Math.floor(now() / 1000) + COOKIE_SECONDS,
        nodeCrypto().randomBytes(12).toString('base64url'),
      );
    },
    acceptsToken: (given) => isSame(given, token),
    acceptsCookie(value) {
      const [expiry = '', nonce = ''] = value.split('.');
      return Number(expiry) * 1000 > now() && isSame(value, signed(Number(expiry), nonce));
    },
  };
}

/** Takes as long for a wrong value as for the right one. */
function isSame(given: string, right: string): boolean {
  const digest = (text: string) => nodeCrypto().createHmac('sha256', 'compare').update(text).digest();
  return nodeCrypto().timingSafeEqual(digest(given), digest(right));
}
