import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The command line is tested as it is shipped: bundled.
    globalSetup: ['test/support/build.ts'],
    pool: 'forks',
    maxWorkers: '100%',
    // They end what hangs; a slow machine under load must not come near them.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
