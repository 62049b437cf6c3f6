import { expect, it } from 'vitest';
import { checkEntries } from '../../../src/app/setup/check-entries.ts';
import type { SettingsEditor } from '../../../src/ports/agent-settings.ts';

it('runs an entry that several agents have once, and reports it for each', async () => {
  const tried: string[] = [];
  const server = { command: 'node', args: ['mcp'] };
  const editor = (part: 'hooks' | 'server', command: string): SettingsEditor => ({
    agent: 'claude',
    part,
    path: `/settings/${part}`,
    state: () => 'current',
    add: (text) => text,
    remove: (text) => text,
    containers: () => [],
    installed: () =>
      part === 'server' ? { hooks: [], server } : { hooks: [{ event: 'Stop', command }], server: null },
  });
  const homes = (['claude', 'codex', 'qwen'] as const).map((agent) => ({
    agent,
    plugin: false,
    suggests: false,
    editors: [editor('hooks', agent === 'qwen' ? 'other' : 'hook'), editor('server', '')],
    untrusted: () => [],
  }));
  const checks = await checkEntries(homes, { read: () => '' } as never, {
    async tryHook(command) {
      tried.push(command);
      return { exitCode: 0, ms: 20, output: '', leftJob: true };
    },
    async askServer({ command }) {
      tried.push(command);
      return { ok: true, name: 'smart-fork', version: '1', ms: 20 };
    },
  });
  expect(tried).toEqual(['hook', 'node', 'other']);
  expect(checks.filter(({ status, name }) => status === 'ok' && !name.endsWith('skills'))).toHaveLength(6);
});
