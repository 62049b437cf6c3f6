import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

// As tests, they run while others wait, instead of before all others.
it.each(['types', 'lint'])('finds nothing with npm run %s', { timeout: 300_000 }, async (script) => {
  // The error's message contains what was printed to stderr.
  await promisify(exec)(`npm run --silent ${script}`).catch(({ message, stdout }) =>
    expect.fail(`${message}\n${stdout}`),
  );
});
