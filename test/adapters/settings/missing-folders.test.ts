import { expect, it } from 'vitest';
import { missingFolders } from '../../../src/adapters/settings/settings-files.ts';

it('ends at the root of a drive that does not exist', () => {
  expect(missingFolders('/home/dev/settings.json', () => false)).toEqual(['/home/dev', '/home']);
});
