import type { QdrantDouble } from './double/server.ts';

/** Everything that the server received: unchanged, and with base64 and hex decoded. */
export function received(double: QdrantDouble): string {
  const strings: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      strings.push(
        value,
        ...(['base64', 'base64url', 'hex'] as const).map((of) => Buffer.from(value, of).toString('latin1')),
      );
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) {
        strings.push(key);
        visit(one);
      }
    }
  };
  for (const { path, body, headers } of double.requests) visit([path, body, headers, JSON.stringify(body)]);
  return strings.join('\n').toLowerCase();
}
