import { SmartForkError } from '../errors.ts';

/** The name of the service in systemd and in Windows' Task Scheduler. */
export const SERVICE_NAME = 'smart-fork';

/** What a system starts when its user logs in. */
export interface ServiceJob {
  /** Absolute paths and words. */
  command: string[];
  environment: Record<string, string>;
  /** File for the output, where the system keeps none itself. */
  log: string;
  /** As in `DOMAIN\user`; only Windows asks for it. */
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
