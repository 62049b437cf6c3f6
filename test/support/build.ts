import { execFileSync } from 'node:child_process';

/** Builds dist/ before the first test. */
export default function build(): void {
  execFileSync(process.execPath, ['build.js'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
