import type { Argv } from 'yargs';
import { EXIT, type GlobalArguments, runCommand } from '../run-command.ts';

export const doctorCommand = {
  command: 'doctor',
  describe: 'check the installation and print how to fix problems',
  builder: (yargs: Argv) =>
    yargs
      .option('json', { type: 'boolean', describe: 'print {"checks": [...]}' })
      .example('$0 doctor', 'check everything'),
  handler: (args: GlobalArguments) =>
    runCommand(
      args,
      async (context) => {
        const { terminal } = context;
        const { checkInstallation } = await import('../../compose/reports/check-installation.ts');
        const checks = await checkInstallation(context);
        if (checks.some(({ status }) => status === 'fail')) process.exitCode = EXIT.failed;
        if (args.json === true) return terminal.out(JSON.stringify({ checks }));
        const { renderDoctor } = await import('./render-doctor.ts');
        terminal.out(renderDoctor(checks, terminal));
      },
      { withInvalidSettings: true },
    ),
};
