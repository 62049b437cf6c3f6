import { defineConfig } from 'vitest/config';

// Many tests start processes; on a small or busy machine each takes its time. What must be fast is measured by `npm run bench`.
export default defineConfig({
  test: { testTimeout: 60_000, hookTimeout: 60_000, include: ['test/**/*.test.ts'] },
});
