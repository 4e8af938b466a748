// One browser for all pictures: started with the first picture, started again after a crash, ended when it is idle.
import { setTimeout as sleep } from 'node:timers/promises'
import { apiError } from '#kernel/base/errors.ts'
import { endBrowser, type RunningBrowser } from './browser.ts'

export interface SharedBrowser {
  use<T>(work: (running: RunningBrowser) => Promise<T>): Promise<T>
  /** Ends this browser; the next use starts a new one. */
  endAndReplace(running: RunningBrowser): Promise<void>
  /** Ends the browser; later uses fail. */
  close(): Promise<void>
}

export function shareBrowser(start: () => Promise<RunningBrowser>, idleMilliseconds: number): SharedBrowser {
  let current: Promise<RunningBrowser> | undefined
  let latest: RunningBrowser | undefined
  let users = 0
  let isClosed = false
  let idleTimer: NodeJS.Timeout | undefined

  function startAndWatch(): Promise<RunningBrowser> {
    const starting = start()
    const forget = () => {
      if (current === starting) current = undefined
    }
    starting.then(running => {
      latest = running
      running.browser.on('disconnected', forget)
      if (isClosed) void endBrowser(running)
    }, forget)
    return starting
  }

  async function end(): Promise<void> {
    const ending = current
    current = undefined
    const running = await ending?.catch(() => undefined)
    if (running) await endBrowser(running)
  }

  return {
    async use(work) {
      if (isClosed) throw apiError('unavailable', { message: 'The service is stopping.' })
      clearTimeout(idleTimer)
      users++
      try {
        current ??= startAndWatch()
        return await work(await current)
      } finally {
        users--
        if (users === 0) idleTimer = setTimeout(end, idleMilliseconds).unref()
      }
    },
    async endAndReplace(running) {
      if (latest === running) current = undefined
      await endBrowser(running)
    },
    async close() {
      isClosed = true
      clearTimeout(idleTimer)
      // A browser that is still starting ends after its start (see `startAndWatch`), or with this process.
      await Promise.race([end(), sleep(1_000, undefined, { ref: false })])
    },
  }
}
