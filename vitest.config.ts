import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/support/list-exceptions.ts'],
    // The command line is tested as shipped: bundled.
    globalSetup: ['test/support/global-setup.ts'],
    env: mode === 'slow' ? { SMART_FORK_TEST_SLOW: '1' } : {},
    pool: 'forks',
    // No test file leaves anything behind in the process, and loading the sources only once saves a third of the CPU time.
    isolate: false,
    // Tests wait for processes and timers: twice as many workers as cores keep the cores busy.
    maxWorkers: 2 * availableParallelism(),
    // These end what hangs. A slow machine under load must not reach them.
    testTimeout: mode === 'slow' ? 300_000 : 60_000,
    // What passes only then is listed at the end.
    retry: 1,
    hookTimeout: mode === 'slow' ? 300_000 : 120_000,
    expect: { poll: { timeout: 30_000 } },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'dist/**/*.js'],
      excludeAfterRemap: true,
      reporter: ['text-summary', 'html'],
    },
  },
}));
