import { expect, it, vi } from 'vitest';

// A drive of Windows that does not exist, as the root of this machine's disk.
vi.mock('node:fs', async (original) => ({ ...(await original<object>()), existsSync: () => false }));

const { createSettingsFiles } = await import('../../../src/adapters/settings/settings-files.ts');

it('ends at the root of a drive that does not exist', () => {
  expect(createSettingsFiles(Date.now).missingFolders('/home/dev/settings.json')).toEqual([
    '/home/dev',
    '/home',
  ]);
});
