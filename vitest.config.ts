import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      // No database: the shape of the code and the files that are generated from it. Part of `npm run check` too.
      { test: { name: 'structure', include: ['server/test/structure/**/*.test.ts'] } },
      { test: { name: 'render', include: ['render/test/*.test.ts'] } },
      {
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts', 'server/test/*.test.ts'],
          globalSetup: 'server/test/support/postgres.ts',
          isolate: false, // 400 small tests: 1 s instead of 9.5 s
          // Against tests that hang, not for measuring: the machine may be busy.
          testTimeout: 300_000,
          expect: { poll: { timeout: 120_000 } },
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
    ],
  },
})
