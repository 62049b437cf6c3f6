import { SmartForkError } from '../errors.ts';

/** The service's name in systemd and in the Windows Task Scheduler. */
export const SERVICE_NAME = 'smart-fork';

/** The program to start when the user logs in. */
export interface ServiceJob {
  /** The program's absolute path and its arguments. */
  command: string[];
  environment: Record<string, string>;
  /** File for the output, on systems that do not record it themselves. */
  log: string;
  /** As in `DOMAIN\user`; only used on Windows. */
  account: string;
}

/** @throws SmartForkError USAGE for text that no service file can hold */
export function checkJob({ command, environment, log }: ServiceJob): void {
  const bad = [...command, ...Object.values(environment), log].find((text) => /\p{Cc}/u.test(text));
  if (bad === undefined) return;
  throw new SmartForkError('USAGE', `${JSON.stringify(bad)} contains a control character`, {
    hint: 'A service file cannot hold it. Rename the folder, or change the variable.',
  });
}
