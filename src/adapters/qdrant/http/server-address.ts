import { SmartForkError } from '../../../domain/errors.ts';

/** `base` for requests, `shown` for messages. */
export interface ServerAddress {
  base: string;
  shown: string;
}

/**
 * Without a port, Qdrant's own (6333) is used; with a path, the scheme's, as a proxy listens there.
 * @throws SmartForkError CONFIG_INVALID
 */
export function serverAddress(url: string): ServerAddress {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new SmartForkError('CONFIG_INVALID', 'the Qdrant URL is not an http or https URL', {
      hint: 'Set QDRANT_URL to something like https://host or http://127.0.0.1:6333.',
    });
  }
  const prefix = parsed.pathname.replace(/\/+$/, '');
  const saysPort = /^https?:\/\/[^/]*:\d+(?:\/|$)/i.test(url);
  const port = saysPort ? portOf(parsed) : prefix === '' ? ':6333' : '';
  const base = `${parsed.protocol}//${parsed.hostname}${port}${prefix}`;
  return { base, shown: base };
}

/**
 * A key as it can stand in a header.
 * @throws SmartForkError CONFIG_INVALID, which does not repeat the key.
 */
export function cleanApiKey(apiKey: string | null): string | null {
  const key = apiKey?.trim() ?? '';
  if (key === '') return null;
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new SmartForkError('CONFIG_INVALID', 'the Qdrant API key contains characters that no key has', {
    hint: 'Check QDRANT_API_KEY for quotes, spaces or line ends.',
  });
}

/** URL drops the port if it is the scheme's default. It was asked for all the same. */
function portOf(url: URL): string {
  return url.port === '' ? '' : `:${url.port}`;
}
