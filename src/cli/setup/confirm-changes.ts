import { SmartForkError } from '../../domain/errors.ts';
import type { CommandContext } from '../run-command.ts';

/** @throws SmartForkError USAGE when there is no terminal to ask on. */
export async function confirmChanges(
  question: string,
  defaultYes: boolean,
  { terminal }: CommandContext,
): Promise<boolean> {
  if (!terminal.interactive) {
    throw new SmartForkError('USAGE', 'cannot ask for confirmation: not a terminal', {
      hint: 'Add --yes to make the changes, --dry-run to see them.',
    });
  }
  const { confirm } = await import('../terminal/prompt.ts');
  return confirm(question, { terminal, defaultYes });
}
