import { type BrowserBuild, findOrBuild, hashOfBuild } from '#kernel/base/browser-builds.ts'

const dashboardBuild: BrowserBuild = {
  name: 'web',
  sources: ['web/*', 'web/src', 'web/build', 'render/src', 'sdk/src', 'package-lock.json'],
  program: 'web/build/build.ts',
  memory: 450,
}

export const hashOfSources = (): Promise<string> => hashOfBuild(dashboardBuild)

/** Returns the folder of the built dashboard. `folders`: where it can be. */
export const buildDashboard = (folders: readonly string[], signal?: AbortSignal): Promise<string> =>
  findOrBuild(dashboardBuild, folders, signal)
