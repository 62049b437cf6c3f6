import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { ourHosts } from '../../src/http/security/our-hosts.ts';

const FOREIGN = ['evil.example:8741', '192.0.2.2.evil.example:8741', 'localhost:1', 'localhost', '[::1', ''];

describe('the Host header', () => {
  it('names the server by its address and by the names of this machine', () => {
    const isOurs = ourHosts('127.0.0.1', 8741);
    for (const name of ['127.0.0.1:8741', 'localhost:8741', '[::1]:8741'])
      expect(isOurs(name), name).toBe(true);
    for (const name of [...FOREIGN, '192.0.2.2:8741', `${hostname()}:8741`.toLowerCase()])
      expect(isOurs(name), name).toBe(false);
    expect(ourHosts('::1', 80)('[::1]')).toBe(true);
    expect(ourHosts('Box.lan', 8741)('box.lan:8741')).toBe(true);
  });

  it('may have any address, but no other name, where the server listens on all of them', () => {
    const isOurs = ourHosts('0.0.0.0', 8741);
    for (const name of ['192.0.2.2:8741', '[2001:db8::2]:8741', `${hostname()}:8741`.toLowerCase()])
      expect(isOurs(name), name).toBe(true);
    for (const name of [...FOREIGN, '2001:db8::2:8741', '192.0.2.2:80'])
      expect(isOurs(name), name).toBe(false);
  });
});
