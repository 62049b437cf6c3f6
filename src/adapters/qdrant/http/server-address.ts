import { SmartForkError } from '../../../domain/errors.ts';

/**
 * The server's URL without login, for requests and messages. The default port is Qdrant's (6333); for a URL with a path, which a proxy
 * serves, it is the scheme's.
 * @throws SmartForkError CONFIG_INVALID
 */
export function serverAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new SmartForkError('CONFIG_INVALID', 'the Qdrant URL is not an http or https URL', {
      hint: 'Set QDRANT_URL to something like https://host or http://127.0.0.1:6333.',
    });
  }
  const prefix = parsed.pathname.replace(/(?<!\/)\/+$/, '');
  // `URL` drops an explicit port that is the scheme's default.
  const saysPort = /^https?:\/\/[^/]*:\d+(?:\/|$)/i.test(url);
  const host = saysPort || prefix !== '' ? parsed.host : `${parsed.hostname}:6333`;
  return `${parsed.protocol}//${host}${prefix}`;
}

/**
 * The key in a form that is valid in a header.
 * @throws SmartForkError CONFIG_INVALID, without repeating the key.
 */
export function cleanApiKey(apiKey: string | null): string | null {
  const key = apiKey?.trim() ?? '';
  if (key === '') return null;
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new SmartForkError('CONFIG_INVALID', 'the Qdrant API key contains invalid characters', {
    hint: 'Check QDRANT_API_KEY for spaces, line breaks and non-ASCII characters.',
  });
}
