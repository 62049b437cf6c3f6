import { logout } from '../../operations/state/logins.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const logoutCommand = operationCommand({
  operation: logout,
  command: 'logout [ids..]',
  json: 'print {"ended": [ids]}',
  examples: [
    ['$0 logout 3f9c2a71', 'sign one browser out'],
    ['$0 logout --all', 'sign all browsers out'],
  ],
  print({ ended }, { terminal }) {
    terminal.out(ended.length === 1 ? 'Signed one browser out.' : `Signed ${ended.length} browsers out.`);
  },
});
