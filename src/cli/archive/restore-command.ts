import { restore } from '../../operations/archive/restore.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const restoreCommand = operationCommand({
  operation: restore,
  command: 'restore <id>',
  names: { dry_run: 'print' },
  json: 'print the result as JSON',
  examples: [
    ['$0 restore 8402b1ed', 'make the session available in this folder'],
    ['$0 restore 8402b1ed --to ~/work/api', 'make it available in another folder'],
  ],
  async print(restored, { terminal }) {
    const { renderRestored } = await import('./render-restored.ts');
    terminal.out(renderRestored(restored, terminal));
  },
});
