// The dashboard in a real browser, served by the real app.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { vi } from 'vitest'
import { type SignedIn, type SignInOptions, type TestApp, type TestOptions, testApp } from '../app.ts'
import { demoApp } from '../demo.ts'
import { openBrowser } from './browser.ts'
import { openContext } from './sign-in-browser.ts'

/** The port is chosen before the start, because cookies and pictures belong to the public URL. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return String(port)
}

export interface DashboardApp {
  readonly app: TestApp
  readonly url: string
  readonly browser: Browser
  /** A page in a browser of its own, in which a person is signed in. */
  openAs(person: Pick<SignedIn, 'cookie'>, options?: BrowserContextOptions): Promise<Page>
  /** Signs a person in, and opens a page. */
  signIn(options?: SignInOptions, browserOptions?: BrowserContextOptions): Promise<Page>
}

interface DashboardOptions extends TestOptions {
  /** Fills the workspace with the demo. */
  readonly hasDemo?: boolean
}

export async function dashboardApp({
  hasDemo = false,
  env,
  ...options
}: DashboardOptions = {}): Promise<DashboardApp> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const start = hasDemo ? demoApp : testApp
  const app = await start({ ...options, env: { PORT: port, SIGNOFF_PUBLIC_URL: url, ...env } })
  const [browser] = await Promise.all([
    openBrowser(),
    app.startDashboard(),
    app.http.listen({ port: Number(port), host: 'localhost' }),
  ])
  const openAs: DashboardApp['openAs'] = async ({ cookie }, browserOptions) => {
    const context = await openContext(browser, browserOptions)
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url }])
    return context.newPage()
  }
  return {
    app,
    url,
    browser,
    openAs,
    signIn: async (person, browserOptions) => openAs(await app.signIn(person), browserOptions),
  }
}

/** True if the page is there, and no grey line stands for something that loads. */
const isShown = `document.querySelector('h1') !== null && document.querySelector('[aria-hidden] > .animate-pulse') === null`
/** The same after two frames. */
const isDrawn = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(${isShown}))))`

/** Opens a page of the dashboard, and waits until it shows its data. */
export const visit = (page: Page, address: string): Promise<void> =>
  waitUntilComplete(page, async () => {
    await page.goto(address)
  })

/**
 * True if the router of the dashboard has drawn the page of the current address, and is not on its way to another one.
 */
const isRouted = `(({ status, location: target, resolvedLocation: drawn }) =>
  status === 'idle' && drawn?.href === target.href && drawn.pathname === location.pathname)(__TSR_ROUTER__.state)`

/**
 * Goes on to another page of the dashboard as a link does. The browser does not load and start the program again,
 * which takes more CPU time than the page itself.
 */
export const follow = (page: Page, path: string): Promise<void> =>
  waitUntilComplete(page, async () => {
    await page.evaluate(`__TSR_ROUTER__.history.push(${JSON.stringify(path)})`)
    await vi.waitUntil(() => page.evaluate<boolean>(isRouted), { interval: 20, timeout: 120_000 })
  })

/**
 * The content of an answer is drawn, and asks for more, within two frames: a page is complete when no request was
 * running before them and none after. Asked twice, because the browser can report a request later than the frames after
 * it.
 */
export async function waitUntilComplete(page: Page, go: () => Promise<void>): Promise<void> {
  const running = new Set<Request>()
  const begin = (request: Request) => void running.add(request)
  const end = (request: Request) => void running.delete(request)
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  try {
    await go()
    const isQuiet = async (isReady: string) =>
      running.size === 0 && (await page.evaluate<boolean>(isReady)) && running.size === 0
    const isComplete = async () => (await isQuiet(isDrawn)) && (await isQuiet(isShown))
    await vi.waitUntil(isComplete, { interval: 20, timeout: 120_000 })
  } finally {
    page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
  }
}
