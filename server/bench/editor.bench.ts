// The signature editor in a browser: how fast it opens and reacts to keys, and how much script it loads.
import { endBrowser, startBrowser } from '#platform/screenshots/index.ts'
import { type Bench, createFixture, type Figure, median } from './support/bench.ts'
import {
  canvasTimeOf,
  createBlocks,
  dragOnCanvas,
  type EditorVisitor,
  openEditor,
  typeLetters,
} from './support/web-editor.ts'
import { fillForWeb, signInToWeb } from './support/web-fill.ts'
import { openSignedIn, scriptsOf, showPage } from './support/web-pages.ts'
import { startService, waitForDashboard } from './support/web-service.ts'

const rounds = 3
const round = (value: number): string => value.toFixed(value < 10 ? 1 : 0)
const ofLimit = (value: number, most: number): string => `${(value / most).toFixed(2)} of the limit`

async function measureOpening({ browser, url, cookie }: EditorVisitor, id: string): Promise<Figure> {
  const context = await openSignedIn(browser, url, cookie)
  const page = await context.newPage()
  const times: number[] = []
  // The first load fills the cache of the browser.
  for (let n = 0; n <= rounds; n++) {
    await openEditor(page, url, id)
    if (n > 0) times.push(await canvasTimeOf(page))
  }
  await context.close()
  const value = Math.min(...times)
  return {
    what: 'from the navigation to a signature of 30 blocks until it is drawn in the editor, in ms',
    value,
    limit: { most: 500 },
    note: `${ofLimit(value, 500)}; ${times.map(round).join(', ')} ms`,
  }
}

async function measureScript({ browser, url, cookie }: EditorVisitor, id: string): Promise<Figure> {
  const context = await openSignedIn(browser, url, cookie)
  const page = await context.newPage()
  await showPage(page, `${url}/`)
  const shell = new Set((await scriptsOf(page)).map(({ name }) => name))
  await openEditor(page, url, id)
  const own = (await scriptsOf(page)).filter(({ name }) => !shell.has(name))
  await context.close()
  const value = own.reduce((sum, { bytes }) => sum + bytes, 0) / 1e3
  const large = own.filter(({ bytes }) => bytes >= 5_000)
  const names = large.map(({ name, bytes }) => `${name.replace(/-.{8}\.js$/, '')} ${round(bytes / 1e3)}`)
  return {
    what: 'script of the editor beyond the first load of /, compressed, in kB',
    value,
    limit: { most: 200 },
    note: `${ofLimit(value, 200)}; ${own.length} files: ${names.join(', ')}, smaller ones`,
  }
}

async function measureKeys(
  { browser, url, cookie }: EditorVisitor,
  id: string,
  count: number,
  most: number,
): Promise<Figure[]> {
  const context = await openSignedIn(browser, url, cookie)
  const page = await context.newPage()
  await openEditor(page, url, id)
  const typed: Awaited<ReturnType<typeof typeLetters>>[] = []
  for (let n = 0; n < rounds; n++) typed.push(await typeLetters(page))
  const dragged = await dragOnCanvas(page)
  await context.close()
  const medians = typed.map(({ milliseconds }) => median(milliseconds))
  const value = Math.min(...medians)
  const work = Math.min(...typed.map(each => each.work))
  return [
    {
      what: `median from a key to the painted canvas with ${count} blocks, in ms`,
      value,
      limit: { most },
      note: `${ofLimit(value, most)}; ${medians.map(round).join(', ')} ms; processor time per key: ${round(work)} ms`,
    },
    { what: `processor time per movement of a drag with ${count} blocks, in ms`, value: dragged },
  ]
}

async function run(): Promise<Figure[]> {
  const b = await createFixture()
  const running = await startBrowser({ chromium: null, folder: b.dataDir })
  const owners = await fillForWeb(b, 1)
  const server = await startService(b.dataDir)
  try {
    await waitForDashboard(server)
    const { url } = server
    const visitor = { browser: running.browser, url, cookie: await signInToWeb(url, owners.demo) }
    const few = await createBlocks(url, b.key, 30)
    const many = await createBlocks(url, b.key, 300)
    return [
      await measureScript(visitor, few),
      await measureOpening(visitor, few),
      ...(await measureKeys(visitor, few, 30, 50)),
      ...(await measureKeys(visitor, many, 300, 100)),
    ]
  } finally {
    await endBrowser(running)
    await server.stop()
    await b.end()
  }
}

export const benches: readonly Bench[] = [{ name: 'web editor', run }]
