import { doctor } from '../../operations/state/doctor.ts';
import { operationCommand } from '../operation/operation-command.ts';
import { EXIT } from '../run-command.ts';

export const doctorCommand = operationCommand({
  operation: doctor,
  command: 'doctor',
  json: 'print {"checks": [...]}',
  examples: [['$0 doctor', 'check everything']],
  run: { withInvalidSettings: true },
  exitCode: ({ checks }) => (checks.some(({ status }) => status === 'fail') ? EXIT.failed : EXIT.done),
  async print({ checks }, { terminal }) {
    const { renderDoctor } = await import('./render-doctor.ts');
    terminal.out(renderDoctor(checks, terminal));
  },
});
