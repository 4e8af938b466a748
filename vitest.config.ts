import { defineConfig } from 'vitest/config'

/** The timeouts end tests that hang; they measure nothing, because the machine can be busy. */
const settings = {
  setupFiles: 'server/test/support/seed.ts',
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000 } },
}

export default defineConfig({
  test: {
    projects: [
      // No database: the shape of the code and the files that are generated from it. Part of `npm run check`.
      { test: { ...settings, name: 'structure', include: ['server/test/structure/**/*.test.ts'] } },
      { test: { ...settings, name: 'render', include: ['render/test/*.test.ts'] } },
      {
        test: {
          ...settings,
          name: 'server',
          include: ['server/src/**/*.test.ts', 'server/test/*.test.ts', 'sdk/test/*.test.ts'],
          globalSetup: 'server/test/support/postgres.ts',
          isolate: false, // 400 small tests: 1 s instead of 9.5 s
          maxWorkers: 2,
        },
      },
    ],
  },
})
