/** Credentials that look real but are not: generated from random characters at run time, so that the repository contains none. */
export interface FakeCredential {
  kind: string;
  /** The rules that must find it: secretlint's, issuers' prefixes, or names. `none` is only reported. */
  claimed: 'library' | 'issuer' | 'named' | 'none';
  /** A text that contains the secret, and the secret. */
  make(random: Random): { text: string; secret: string };
}

export interface Random {
  pick(alphabet: string, length: number): string;
  number(below: number): number;
}

export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const DIGITS = '0123456789';
export const HEX = '0123456789abcdef';
const LETTERS = LOWER + LOWER.toUpperCase();
export const ALNUM = LETTERS + DIGITS;
export const URL_SAFE = `${ALNUM}_-`;
export const BASE64 = `${ALNUM}+/`;

/** The same numbers on every machine for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const number = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return {
    number,
    pick: (alphabet, length) => Array.from({ length }, () => alphabet[number(alphabet.length)]).join(''),
  };
}

export function token(
  claimed: FakeCredential['claimed'],
  kind: string,
  prefix: string,
  alphabet: string,
  length: number,
  rest: (random: Random) => string = () => '',
): FakeCredential {
  const begin = prefix.split(',').join('');
  return {
    kind,
    claimed,
    make(random) {
      const secret = begin + random.pick(alphabet, length) + rest(random);
      const around = [
        `use ${secret} for it`,
        `X="${secret}"`,
        `- ${secret}\n- other`,
        `\`${secret}\`, please`,
      ];
      return { secret, text: around[random.number(around.length)] ?? secret };
    },
  };
}

export function within(
  claimed: FakeCredential['claimed'],
  kind: string,
  around: (secret: string) => string,
  make: (random: Random) => string,
): FakeCredential {
  return {
    kind,
    claimed,
    make(random) {
      const secret = make(random);
      return { secret, text: around(secret) };
    },
  };
}

export function password({ pick, number }: Random): string {
  const parts = [
    pick(LOWER, 3),
    pick(LOWER.toUpperCase(), 3),
    pick(DIGITS, 3),
    pick('!%^*_-+.', 1),
    pick(ALNUM, 3),
  ];
  return [...parts.slice(number(3)), ...parts].join('').slice(0, 14);
}

export function uuid({ pick }: Random): string {
  return [8, 4, 4, 4, 12].map((length) => pick(HEX, length)).join('-');
}

export function pem(type: string, key: string): string {
  const lines = key.match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${type} KEY-----`, ...lines, `-----END ${type} KEY-----`].join('\n');
}
