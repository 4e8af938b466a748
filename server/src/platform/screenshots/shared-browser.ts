// One browser for all pictures: started with the first, started again when it died, ended when nobody has used it for a while.
import { setTimeout as sleep } from 'node:timers/promises'
import { apiError } from '#kernel/errors.ts'
import { endBrowser, type RunningBrowser } from './browser.ts'

export interface SharedBrowser {
  use<T>(work: (one: RunningBrowser) => Promise<T>): Promise<T>
  /** This one has to go; the next use starts another. */
  drop(one: RunningBrowser): Promise<void>
  /** For good. */
  close(): Promise<void>
}

export function shareBrowser(start: () => Promise<RunningBrowser>, idleMilliseconds: number): SharedBrowser {
  let current: Promise<RunningBrowser> | undefined
  let latest: RunningBrowser | undefined
  let users = 0
  let isClosed = false
  let idle: NodeJS.Timeout | undefined

  function started(): Promise<RunningBrowser> {
    const starting = start()
    const forget = () => {
      if (current === starting) current = undefined
    }
    starting.then(one => {
      latest = one
      one.browser.on('disconnected', forget)
      if (isClosed) void endBrowser(one)
    }, forget)
    return starting
  }

  async function end(): Promise<void> {
    const ending = current
    current = undefined
    const one = await ending?.catch(() => undefined)
    if (one) await endBrowser(one)
  }

  return {
    async use(work) {
      if (isClosed) throw apiError('unavailable', { message: 'The service is stopping.' })
      clearTimeout(idle)
      users++
      try {
        current ??= started()
        return await work(await current)
      } finally {
        users--
        if (users === 0) idle = setTimeout(end, idleMilliseconds).unref()
      }
    },
    async drop(one) {
      if (latest === one) current = undefined
      await endBrowser(one)
    },
    async close() {
      isClosed = true
      clearTimeout(idle)
      // One that is still being started ends by itself, or with this process.
      await Promise.race([end(), sleep(1_000, undefined, { ref: false })])
    },
  }
}
