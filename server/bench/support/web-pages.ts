// Pages of the dashboard in a browser: what they load, and how long they take.
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'

/** Collects the largest contentful paint, and events that belong to an interaction and took at least 16 ms. */
const observer = `
  globalThis.seen = { paint: 0, events: [] }
  new PerformanceObserver(list => {
    for (const { startTime } of list.getEntries()) seen.paint = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver(list => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId) seen.events.push(duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })`

/** A browser with an empty cache, in which a person is signed in. */
export async function openSignedIn(browser: Browser, url: string, cookie: string): Promise<BrowserContext> {
  const viewport = { width: 1280, height: 860 }
  const context = await browser.newContext({ locale: 'en-GB', viewport })
  context.setDefaultTimeout(60_000)
  await context.addCookies([{ name: 'signoff', value: cookie, url }])
  await context.addInitScript(observer)
  return context
}

export async function showPage(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
}

export const nextFrames = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')

export interface LoadedScript {
  readonly name: string
  readonly bytes: number
}

/** The scripts that the page has loaded, with their compressed sizes. */
export async function scriptsOf(page: Page): Promise<readonly LoadedScript[]> {
  const scripts = await page.evaluate<LoadedScript[]>(
    `performance.getEntriesByType('resource')
      .filter(({ name }) => /\\.js(\\?|$)/.test(name))
      .map(({ name, encodedBodySize }) => ({ name: name.replace(/.*\\//, ''), bytes: encodedBodySize }))`,
  )
  const unread = scripts.filter(({ bytes }) => bytes === 0)
  if (unread.length > 0) throw new Error(`the browser gave no size of ${unread.map(({ name }) => name)}`)
  return [...new Map(scripts.map(script => [script.name, script])).values()].sort((a, b) => b.bytes - a.bytes)
}

/** Milliseconds from the start of the navigation. */
export async function paintOf(page: Page): Promise<number> {
  await nextFrames(page)
  return page.evaluate<number>('seen.paint')
}

/** The processor time of the page's main thread, in ms: other programs on the machine do not change it. */
export class MainThread {
  readonly #session: CDPSession

  private constructor(session: CDPSession) {
    this.#session = session
  }

  static async of(page: Page): Promise<MainThread> {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    return new MainThread(session)
  }

  async milliseconds(): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
}
