// The dashboard: built once per version, served from memory.
import { join } from 'node:path'
import { sharedFolder } from '#kernel/base/browser-builds.ts'
import type { Log } from '#kernel/base/log.ts'
import { buildDashboard } from './build.ts'
import { DashboardFiles } from './files.ts'
import type { DashboardState } from './routes.ts'

export { buildDashboard } from './build.ts'
export { dashboardPaths } from './pages.ts'
export { type DashboardDeps, dashboardRoutes } from './routes.ts'

/** The dashboard of one process. It begins to build when `start` is called, after the service listens. */
export class Dashboard {
  #state: DashboardState
  readonly #stopping = new AbortController()

  constructor(isOn: boolean) {
    this.#state = { status: isOn ? 'building' : 'off' }
  }

  readonly state = (): DashboardState => this.#state

  /** Ends a build that is running. */
  stop(): void {
    this.#stopping.abort()
  }

  async start(dataDir: string, log: Log): Promise<void> {
    if (this.#state.status === 'off') return
    const started = performance.now()
    try {
      const folder = await buildDashboard([sharedFolder, join(dataDir, 'cache')], this.#stopping.signal)
      this.#state = { status: 'ready', files: await DashboardFiles.load(folder) }
      log.info({ milliseconds: Math.round(performance.now() - started) }, 'the dashboard is ready')
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      this.#state = { status: 'failed', reason: error instanceof Error ? error.message : String(error) }
      log.error({ err: error }, 'the dashboard could not be built; the API works')
    }
  }
}
