import { isIP } from 'node:net';
import { hostname } from 'node:os';

/**
 * Whether the Host header of a request names this server. A server that listens on every address accepts any IP address: only a name
 * can be pointed here by somebody else (DNS rebinding).
 */
export function ourHosts(host: string, port: number): (name: string) => boolean {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const own = isEverywhere ? [hostname()] : [];
  const names = ['localhost', '127.0.0.1', '[::1]', inAddress(host), ...own].map((name) =>
    name.toLowerCase(),
  );
  return (given) => {
    const at = /:(\d+)$/.exec(given);
    if (Number(at?.[1] ?? 80) !== port) return false;
    const name = at === null ? given : given.slice(0, at.index);
    return names.includes(name) || (isEverywhere && isAddress(name));
  };
}

/** As written in a URL. */
export function inAddress(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function isAddress(name: string): boolean {
  return isIP(name) === 4 || (/^\[.*\]$/.test(name) && isIP(name.slice(1, -1)) === 6);
}
