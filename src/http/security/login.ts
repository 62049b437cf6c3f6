import { nodeCrypto } from '../../domain/text/hash.ts';

/** Access control: clients need the token, or the cookie for which a one-time code was exchanged. */
export interface Login {
  readonly cookieName: string;
  /** A code that can be exchanged once, within two minutes. */
  createCode(): string;
  /** The cookie's value; null if the code is unknown, used or expired. */
  exchange(code: string): string | null;
  acceptsToken(token: string): boolean;
  acceptsCookie(value: string): boolean;
}

const CODE_MS = 2 * 60_000;
const MAX_CODES = 20;
export const COOKIE_SECONDS = 30 * 86_400;

/** Cookies stay valid across restarts of the server, and expire with the token. Their name contains the port, because browsers ignore it. */
export function createLogin(token: string, port: number): Login {
  const codes = new Map<string, number>();
  const signed = (expiry: number, nonce: string) =>
    `${expiry}.${nonce}.${nodeCrypto().createHmac('sha256', token).update(`${port} ${expiry} ${nonce}`).digest('base64url')}`;
  return {
    cookieName: `smart_fork_${port}`,
    createCode() {
      const code = nodeCrypto().randomBytes(24).toString('base64url');
      for (const old of [...codes.keys()].slice(0, Math.max(0, codes.size - MAX_CODES + 1)))
        codes.delete(old);
      codes.set(code, Date.now() + CODE_MS);
      return code;
    },
    exchange(code) {
      const until = codes.get(code);
      codes.delete(code);
      if (until === undefined || until < Date.now()) return null;
      return signed(
        Math.floor(Date.now() / 1000) + COOKIE_SECONDS,
        nodeCrypto().randomBytes(12).toString('base64url'),
      );
    },
    acceptsToken: (given) => isSame(given, token),
    acceptsCookie(value) {
      const [expiry = '', nonce = ''] = value.split('.');
      return Number(expiry) * 1000 > Date.now() && isSame(value, signed(Number(expiry), nonce));
    },
  };
}

/** Takes the same time for wrong and right values. */
function isSame(given: string, right: string): boolean {
  const digest = (text: string) => nodeCrypto().createHmac('sha256', 'compare').update(text).digest();
  return nodeCrypto().timingSafeEqual(digest(given), digest(right));
}
