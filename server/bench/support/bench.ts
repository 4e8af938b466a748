import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { readConfig } from '#config.ts'
import { createWorkspace } from '#features/workspaces/index.ts'
import { openPool, type Pool } from '#kernel/db.ts'
import { createLog } from '#kernel/log.ts'
import { migrate } from '#kernel/migrate.ts'
import { type EmbeddedPostgres, openEmbedded } from '#platform/embedded-postgres/index.ts'

export interface Figure {
  readonly what: string
  readonly value: number
  readonly limit?: { readonly most: number; readonly least?: undefined } | { readonly least: number }
  readonly note?: string
}

export interface Bench {
  readonly name: string
  readonly run: () => Promise<readonly Figure[]>
}

export interface Fixture {
  readonly dataDir: string
  readonly db: Pool
  readonly embedded: EmbeddedPostgres
  readonly workspaceId: string
  readonly key: string
  end(): Promise<void>
}

export const createDataDir = (): Promise<string> => mkdtemp(join(tmpdir(), 'signoff-bench-'))

/** An embedded PostgreSQL with the default settings, and one workspace. The data folder is removed at the end. */
export async function createFixture(existingFolder?: string): Promise<Fixture> {
  const dataDir = existingFolder ?? (await createDataDir())
  const embedded = await openEmbedded({ dataDir, user: 'bench', exclusive: false })
  const db = openPool({
    connection: embedded.connection,
    size: readConfig({}).databasePool,
    onError: () => undefined,
  })
  await migrate(db.pg, createLog('silent'))
  const owner = { ownerName: 'Bench', ownerEmail: 'bench@example.com' }
  const { id, key } = await createWorkspace(db, { name: 'Bench', ...owner })
  return {
    dataDir,
    db,
    embedded,
    workspaceId: id,
    key,
    async end() {
      await db.end()
      await embedded.release()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const bin = join(import.meta.dirname, '../../bin/signoff.js')

export interface Server {
  readonly child: ChildProcess
  readonly url: string
  stop(): Promise<void>
}

/** Starts a server in a separate process and waits until it prints its address. */
export async function startServer(args: readonly string[], env: Record<string, string>): Promise<Server> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, args, { env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'ignore'] })
  let out = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  while (!/http:\/\/\S+:\d+/.test(out)) {
    if (child.exitCode !== null) throw new Error(`did not start: ${out}`)
    await sleep(5)
  }
  const ended = new Promise(resolve => child.once('exit', resolve))
  return {
    child,
    url: (/http:\/\/\S+:\d+/.exec(out)?.[0] ?? '').replace('localhost', '127.0.0.1'),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Starts the service. It writes its log as usual, but the output is discarded. */
export const startSignoff = (dataDir: string, env: Record<string, string> = {}): Promise<Server> =>
  startServer([bin, 'serve'], { SIGNOFF_DATA_DIR: dataDir, PORT: '0', ...env })

export async function waitUntilReady(url: string): Promise<void> {
  while ((await fetch(`${url}/readyz`).catch(() => null))?.status !== 200) await sleep(5)
}

export type Load = Omit<autocannon.Options, 'url'> & { readonly path: string }

async function measureRate(url: string, { path, ...options }: Load): Promise<number> {
  const result = await autocannon({ connections: 16, duration: 3, ...options, url: `${url}${path}` })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} bad answers, ${result.errors} errors`)
  return result.requests.total / result.duration
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Nearest rank. */
export const p95 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0

/**
 * Requests/s of the first as a fraction of the second. Measured alternately, because other programs use the machine
 * too. `before` runs before each measurement.
 */
export async function compare(
  service: { url: string; load: Load },
  baseline: { url: string; load: Load },
  rounds = 9,
  before: () => Promise<void> = async () => undefined,
): Promise<{ ratio: number; service: number; baseline: number }> {
  // A warm-up that is long enough for V8 to compile both.
  await measureRate(service.url, { ...service.load, duration: 6 })
  await measureRate(baseline.url, { ...baseline.load, duration: 6 })
  const pairs: { service: number; baseline: number }[] = []
  for (let round = 0; round < rounds; round++) {
    await before()
    const firstRate = await measureRate(service.url, service.load)
    await before()
    pairs.push({ service: firstRate, baseline: await measureRate(baseline.url, baseline.load) })
  }
  return {
    ratio: median(pairs.map(pair => pair.service / pair.baseline)),
    service: median(pairs.map(pair => pair.service)),
    baseline: median(pairs.map(pair => pair.baseline)),
  }
}
