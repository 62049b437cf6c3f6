import { SmartForkError } from '../errors.ts';
import { checkJob, type ServiceJob } from './service-job.ts';

/** A unit for systemd's user manager (systemd.service(5)). */
export function systemdUnit(job: ServiceJob): string {
  checkJob(job);
  const [program = '', ...words] = job.command;
  if (/["'\\]/.test(program)) throw cannotStart(program);
  const variables = Object.entries(job.environment);
  return [
    '[Unit]',
    'Description=smart-fork: search past sessions of coding agents',
    '',
    '[Service]',
    // The first word is a path, where `$` has no special meaning.
    `ExecStart=${[quoted(program), ...words.map((word) => quoted(word).replaceAll('$', '$$$$'))].join(' ')}`,
    ...variables.map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    'Restart=on-failure',
    'RestartSec=5',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/** `%` starts a specifier. */
function quoted(word: string): string {
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
}

/** systemd accepts no such path, however it is quoted. */
function cannotStart(program: string): SmartForkError {
  return new SmartForkError(
    'USAGE',
    `systemd cannot start a program with a quotation mark or a backslash in its path: ${program}`,
    {
      hint: 'Install Node in another folder.',
    },
  );
}
