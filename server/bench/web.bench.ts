// The dashboard: what a browser loads, how fast pages paint and react, and what it costs the service.
import { spawnSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { hashOfSources } from '#dashboard/build.ts'
import { sharedFolder } from '#kernel/base/browser-builds.ts'
import { type Pool, sql } from '#kernel/db/db.ts'
import { endBrowser, startBrowser } from '#platform/screenshots/index.ts'
import {
  type Bench,
  createDataDir,
  createFixture,
  type Figure,
  median,
  p95,
  type Server,
  waitUntilReady,
} from './support/bench.ts'
import { postgresMemory, residentMemory } from './support/memory.ts'
import { fillForWeb, signInToWeb } from './support/web-fill.ts'
import { interactions, measureInteractions, type Reaction } from './support/web-interactions.ts'
import { openSignedIn, paintOf, scriptsOf, showPage } from './support/web-pages.ts'
import { type ScrolledFrames, scrollPeople, scrollPlainPage } from './support/web-scroll.ts'
import { startService, waitForDashboard } from './support/web-service.ts'

const lists = ['/', '/signatures', '/people', '/campaigns', '/analytics']
/** The machine is shared: each figure in ms is the best of some rounds, with all of them or a comparison beside it. */
const rounds = 3
const interactionRounds = 5
const peopleCount = 100_000
const round = (value: number): string => value.toFixed(value < 10 ? 1 : 0)

async function secondsOfStart(dataDir: string): Promise<{ ready: number; dashboard: number }> {
  const began = performance.now()
  const server = await startService(dataDir)
  await waitUntilReady(server.url)
  const ready = performance.now()
  await waitForDashboard(server)
  const ended = performance.now()
  await server.stop()
  return { ready: (ready - began) / 1000, dashboard: (ended - ready) / 1000 }
}

/** Measures how busy the machine is: a Node that does nothing takes 40 ms on a free one. */
function emptyProcess(): number {
  const began = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return performance.now() - began
}

async function measureStarts(dataDir: string, build: string): Promise<Figure[]> {
  await rm(build, { recursive: true, force: true })
  const first = await secondsOfStart(dataDir)
  const busy = `a process of Node that does nothing: ${round(median([emptyProcess(), emptyProcess(), emptyProcess()]))} ms`
  const second = await secondsOfStart(dataDir)
  return [
    {
      what: 'first start, no data and no built dashboard, until /readyz answers 200, in s',
      value: first.ready,
      limit: { most: 15 },
      note: `second start: ${second.ready.toFixed(2)} s; ${busy}`,
    },
    {
      what: 'from then until the dashboard is built and served, in s',
      value: first.dashboard,
      limit: { most: 10 },
      note: `second start: ${second.dashboard.toFixed(2)} s; ${busy}`,
    },
  ]
}

interface Visitor {
  readonly browser: Browser
  readonly url: string
  readonly cookie: string
}

/** Files of the signature editor, by the names of their sources. */
async function editorFiles(build: string): Promise<readonly string[]> {
  const manifest = JSON.parse(await readFile(join(build, 'manifest.json'), 'utf8')) as Record<
    string,
    { readonly file: string }
  >
  return Object.entries(manifest)
    .filter(([source]) => /^src\/.*\/editor/.test(source))
    .map(([, { file }]) => file)
}

/** First loads in empty browsers, in turns with a page of the service that has no script. */
async function measureFirstLoads({ browser, url, cookie }: Visitor, build: string): Promise<Figure[]> {
  const editor = await editorFiles(build)
  const sizes: Figure[] = []
  const paints = new Map<string, number[]>([...lists, '/signed-out'].map(path => [path, []]))
  let editorCount = 0
  for (let n = 0; n < rounds; n++)
    for (const [path, measured] of paints) {
      const context = await openSignedIn(browser, url, cookie)
      const page = await context.newPage()
      await showPage(page, `${url}${path}`)
      measured.push(await paintOf(page))
      if (n === 0 && path !== '/signed-out') {
        const scripts = await scriptsOf(page)
        const large = scripts.filter(({ bytes }) => bytes >= 2_000)
        const names = large.map(
          ({ name, bytes }) => `${name.replace(/-.{8}\.js$/, '')} ${round(bytes / 1e3)}`,
        )
        editorCount += scripts.filter(({ name }) => editor.includes(name)).length
        sizes.push({
          what: `script of the first load of ${path}, compressed, in kB`,
          value: scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 1e3,
          limit: { most: 200 },
          note: `${scripts.length} files: ${names.join(', ')}, smaller ones`,
        })
      }
      await context.close()
    }
  const bestOf = (path: string) => Math.min(...(paints.get(path) ?? []))
  const baseline = bestOf('/signed-out')
  return [
    ...sizes,
    {
      what: 'files of the signature editor that these pages load',
      value: editorCount,
      limit: { most: 0 },
      note: `of ${editor.length}`,
    },
    ...lists.map(path => {
      const value = bestOf(path)
      const against = `${round(baseline)} ms of a page without script: ${round(value / baseline)} times`
      const note = `${paints.get(path)?.map(round).join(', ')} ms; against ${against}`
      return { what: `largest contentful paint of ${path}, in ms`, value, limit: { most: 1_000 }, note }
    }),
  ]
}

async function measureReactions({ browser, url, cookie }: Visitor): Promise<Figure[]> {
  const context = await openSignedIn(browser, url, cookie)
  const page = await context.newPage()
  await showPage(page, `${url}/people`)
  const measured: (readonly Reaction[])[] = []
  for (let n = 0; n < interactionRounds; n++) measured.push(await measureInteractions(page))
  await context.close()
  const best = interactions.map(({ name }, index) => {
    const reactions = measured.flatMap(reactions => reactions[index] ?? [])
    return {
      name,
      milliseconds: Math.min(...reactions.map(({ milliseconds }) => milliseconds)),
      work: Math.min(...reactions.map(({ work }) => work)),
    }
  })
  const noteOf = (key: keyof Reaction) => best.map(each => `${each.name} ${round(each[key])}`).join(', ')
  return [
    {
      what: 'interaction to next paint on /people, the slowest kind, in ms',
      value: Math.max(...best.map(({ milliseconds }) => milliseconds)),
      limit: { most: 100 },
      note: noteOf('milliseconds'),
    },
    {
      what: 'processor time of the page for an interaction, until it is idle, the longest, in ms',
      value: Math.max(...best.map(({ work }) => work)),
      note: noteOf('work'),
    },
  ]
}

async function measureScrolling({ browser, url, cookie }: Visitor): Promise<Figure[]> {
  const context = await openSignedIn(browser, url, cookie)
  const page = await context.newPage()
  const scrolled: ScrolledFrames[] = []
  const plain: ScrolledFrames[] = []
  for (let n = 0; n < rounds; n++) {
    scrolled.push(await scrollPeople(page, url))
    const empty = await context.newPage()
    plain.push(await scrollPlainPage(empty))
    await empty.close()
  }
  await context.close()
  const best = (runs: readonly ScrolledFrames[], of: (frames: readonly number[]) => number): number =>
    Math.min(...runs.map(({ frames }) => of(frames)))
  const what = `per frame while ${peopleCount.toLocaleString('en')} people are scrolled, in ms`
  const compared = (of: typeof median) => `1,000 rows of plain text: ${round(best(plain, of))} ms`
  const work = (runs: readonly ScrolledFrames[]) => Math.min(...runs.map(each => each.work))
  return [
    { what: `median ${what}`, value: best(scrolled, median), limit: { most: 25 }, note: compared(median) },
    { what: `p95 ${what}`, value: best(scrolled, p95), limit: { most: 25 }, note: compared(p95) },
    {
      what: `processor time of the page ${what}`,
      value: work(scrolled),
      limit: { most: 25 },
      note: `plain text: ${round(work(plain))} ms`,
    },
  ]
}

/** Every page of the dashboard, those of one thing with the first of its kind. */
async function allPages({ url, cookie }: Visitor): Promise<readonly string[]> {
  const firstOf = async (resource: string): Promise<string> => {
    const answer = await fetch(`${url}/v1/${resource}?limit=1`, { headers: { cookie: `signoff=${cookie}` } })
    const { data } = (await answer.json()) as { data: readonly { readonly id: string }[] }
    return data[0]?.id ?? ''
  }
  const signature = `/signatures/${await firstOf('signatures')}`
  const settings = ['workspace', 'brand', 'members', 'sign-in', 'keys', 'webhooks', 'audit', 'billing']
  return [
    ...lists,
    ...[signature, `${signature}/recipients`, `${signature}/versions`, '/people/import'],
    ...[`/people/${await firstOf('teammates')}`, `/campaigns/${await firstOf('marketing_campaigns')}`],
    ...['/fields', '/assets', '/installations', '/integrations', '/approvals', '/me', '/welcome'],
    ...settings.map(part => `/settings/${part}`),
  ]
}

async function measureMemory(visitor: Visitor, server: Server, dataDir: string): Promise<Figure> {
  const context = await openSignedIn(visitor.browser, visitor.url, visitor.cookie)
  const page = await context.newPage()
  const paths = await allPages(visitor)
  for (const path of paths) await showPage(page, `${visitor.url}${path}`)
  await context.close()
  // The service releases memory when it was idle for five to ten seconds.
  await sleep(12_000)
  return {
    what: `memory (RSS) of the idle service after ${paths.length} different pages, in MB`,
    value: residentMemory(server.child.pid),
    limit: { most: 220 },
    note: `PostgreSQL: ${round(postgresMemory(dataDir))} MB`,
  }
}

async function waitForJobs(db: Pool): Promise<void> {
  const due = sql`select 1 from graphile_worker.jobs where run_at <= now() and attempts < max_attempts limit 1`
  while ((await db.query(due)).length > 0) await sleep(100)
}

async function run(): Promise<Figure[]> {
  const dataDir = await createDataDir()
  const build = join(sharedFolder, `web-${await hashOfSources()}`)
  const starts = await measureStarts(dataDir, build)
  const b = await createFixture(dataDir)
  const running = await startBrowser({ chromium: null, folder: dataDir })
  let server: Server | undefined
  try {
    const owners = await fillForWeb(b, peopleCount)
    server = await startService(dataDir)
    await waitForJobs(b.db)
    // What the jobs have left behind in the process is not part of the figures.
    await server.stop()
    server = await startService(dataDir)
    await waitForDashboard(server)
    const { browser } = running
    const { url } = server
    const visitor = { browser, url, cookie: await signInToWeb(url, owners.demo) }
    const memory = await measureMemory(visitor, server, dataDir)
    const loads = await measureFirstLoads(visitor, build)
    const reactions = await measureReactions(visitor)
    const many = { browser, url, cookie: await signInToWeb(url, owners.many) }
    return [...starts, ...loads, ...reactions, ...(await measureScrolling(many)), memory]
  } finally {
    await endBrowser(running)
    await server?.stop()
    await b.end()
  }
}

export const benches: readonly Bench[] = [{ name: 'web', run }]
