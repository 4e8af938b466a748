import { globSync, readFileSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { findInstalledBrowser, runsBrowserFromNpm } from './server/src/platform/screenshots/installed.ts'

/** The timeouts end tests that hang; they measure nothing, because the machine can be busy. */
const settings = {
  setupFiles: ['server/test/support/seed.ts'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Each try asks the app and PostgreSQL: with the usual 50 ms, tests that wait would take a tenth of a core.
  expect: { poll: { timeout: 120_000, interval: 100 } },
  // Fewer collections of young objects, most of which are garbage by the end of a test.
  execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
  maxWorkers: 5, // on two cores: tests also wait for processes, browsers and PostgreSQL; 4 leave a third of the time idle
  isolate: false, // files of one worker share the modules: 400 small tests take 1 s instead of 9.5 s
}

const withDatabase = ['server/src/**/*.test.ts', 'server/test/{,dashboard/}*.test.ts', 'sdk/test/*.test.ts']

/** The browser from npm runs on Linux on x64. Elsewhere, and without an installed one, tests that need it are left out. */
async function filesWithoutBrowser(): Promise<readonly string[]> {
  if (runsBrowserFromNpm || (await findInstalledBrowser())) return []
  const needsBrowser = /\b(openBrowser|dashboardApp|linkBrowser|browserFolder)\(|draws: true/
  const files = globSync(withDatabase).filter(file => needsBrowser.test(readFileSync(file, 'utf8')))
  process.stderr.write(`No browser is installed: ${files.length} test files that need one are skipped.\n`)
  return files
}

/** Files that take longest, most of all those that start processes. Alone at the end, they would leave a core idle. */
const slowFiles =
  /(dashboard\/[\w-]+|isolation|processes|bad-input|event-loop|commands|backup|recording|routes|package|.*-(crash|browser|year)|killed-workers|restarts|screenshots|demo|saml)\.test\.ts$/

/** The order of Vitest without results of an earlier run, the largest files first, after the slow files. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project)
    const isSlow = ({ moduleId }: TestSpecification) => slowFiles.test(moduleId)
    return [...byProject.values()].flatMap(all => [
      ...all.filter(isSlow),
      ...all.filter(file => !isSlow(file)),
    ])
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    tags: [
      {
        name: 'deep',
        description: 'Slow by nature: rounds of kills, every page in every width. `npm run test:deep`',
      },
      {
        name: 'random',
        description: 'Random cases: a quarter of them in `npm test`, all in `npm run test:deep`',
      },
    ],
    projects: [
      // No database: the shape of the code and the files that are generated from it. Part of `npm run check`.
      { test: { ...settings, name: 'structure', include: ['server/test/structure/**/*.test.ts'] } },
      { test: { ...settings, name: 'render', include: ['render/test/*.test.ts'] } },
      // The parts of the dashboard that need no browser.
      { test: { ...settings, name: 'web', include: ['web/test/*.test.ts'] } },
      // The Outlook add-in beside a stand-in for Office.
      { test: { ...settings, name: 'outlook', include: ['outlook/test/*.test.ts'] } },
      {
        test: {
          ...settings,
          name: 'server',
          include: withDatabase,
          exclude: [...configDefaults.exclude, ...(await filesWithoutBrowser())],
          setupFiles: [
            ...settings.setupFiles,
            'server/test/support/clean-up.ts',
            'server/test/support/postgres/skip-on-cluster.ts',
            'server/test/support/postgres/statement-watch.ts',
          ],
          globalSetup: 'server/test/support/postgres/postgres.ts',
        },
      },
    ],
  },
})
