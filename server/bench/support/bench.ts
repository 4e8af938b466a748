import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { readConfig } from '#config.ts'
import { createWorkspace } from '#features/workspace/workspaces/index.ts'
import { createLog } from '#kernel/base/log.ts'
import { openPool, type Pool } from '#kernel/db/db.ts'
import { migrate } from '#kernel/db/migrate.ts'
import { type EmbeddedPostgres, openEmbedded } from '#platform/embedded-postgres/index.ts'
import { cpuTimeOf } from './memory.ts'

export type { Bench, Figure } from '../../../render/bench/figures.ts'

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

export interface StartedProcess {
  readonly child: ChildProcess
  /** The line that it printed when it was ready. */
  readonly line: string
  stop(): Promise<void>
}

/** Starts a server in a separate process and waits until it prints where it listens. */
export async function startProcess(
  args: readonly string[],
  env: Record<string, string>,
  ready: RegExp,
): Promise<StartedProcess> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, args, { env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'ignore'] })
  let out = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  while (!ready.test(out)) {
    if (child.exitCode !== null) throw new Error(`did not start: ${out}`)
    await sleep(5)
  }
  const ended = new Promise(resolve => child.once('exit', resolve))
  return {
    child,
    line: ready.exec(out)?.[0] ?? '',
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export interface Server extends StartedProcess {
  readonly url: string
}

export async function startServer(args: readonly string[], env: Record<string, string>): Promise<Server> {
  const started = await startProcess(args, env, /http:\/\/\S+:\d+/)
  return { ...started, url: started.line.replace('localhost', '127.0.0.1') }
}

/** Starts the service. It writes its log as usual, but the output is discarded. */
export const startSignoff = (dataDir: string, env: Record<string, string> = {}): Promise<Server> =>
  startServer([bin, 'serve'], { SIGNOFF_DATA_DIR: dataDir, PORT: '0', ...env })

/** Measures a running service on a fixture of its own. */
export async function withService<T>(work: (fixture: Fixture, server: Server) => Promise<T>): Promise<T> {
  const fixture = await createFixture()
  const server = await startSignoff(fixture.dataDir)
  try {
    return await work(fixture, server)
  } finally {
    await server.stop()
    await fixture.end()
  }
}

/** Calls the API. Returns the data of the response. */
export const apiOf = (url: string, key: string) => async (method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return (await answer.json()).data
}

/** Creates a signature, assigns it to a new person and publishes it. */
export async function publishToAda(
  api: ReturnType<typeof apiOf>,
  draft_content: object,
): Promise<{ readonly id: string; readonly emailId: string }> {
  const { emails } = await api('POST', '/v1/teammates', { teammate: { email: 'ada@example.com' } })
  const { id } = await api('POST', '/v1/signatures', { signature: { name: 'Main', draft_content } })
  await api('POST', `/v1/signatures/${id}/emails`, { email_ids: [emails[0].id] })
  await api('POST', `/v1/signatures/${id}/publish`)
  return { id, emailId: emails[0].id }
}

export async function waitUntilReady(url: string): Promise<void> {
  while ((await fetch(`${url}/readyz`).catch(() => null))?.status !== 200) await sleep(5)
}

export type Load = Omit<autocannon.Options, 'url'> & { readonly path: string }

export interface Target {
  readonly url: string
  readonly load: Load
  /** Those whose CPU time is measured: the server and its PostgreSQL, without the load. */
  readonly processes?: () => readonly number[]
}

interface Measured {
  /** Requests a second. */
  readonly rate: number
  /** Microseconds of CPU time per request. */
  readonly cpu: number
}

async function measureRate({ url, load, processes = () => [] }: Target): Promise<Measured> {
  const { path, ...options } = load
  const pids = processes()
  const before = cpuTimeOf(pids)
  const result = await autocannon({ connections: 16, duration: 3, ...options, url: `${url}${path}` })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} bad answers, ${result.errors} errors`)
  const { total } = result.requests
  return { rate: total / result.duration, cpu: ((cpuTimeOf(pids) - before) * 1_000) / total }
}

/** The time that the work takes, in milliseconds. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** The time until the whole response is there, in milliseconds. */
export const timeOfRequest = (url: string, key: string, init: RequestInit = {}): Promise<number> =>
  timeOf(async () => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(url, { headers, ...init })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${answer.status} for ${url}`)
  })

/** The value below which this share of them is, by nearest rank. */
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
export const median = (values: readonly number[]): number => quantile(values, 0.5)
export const p95 = (values: readonly number[]): number => quantile(values, 0.95)
export const p99 = (values: readonly number[]): number => quantile(values, 0.99)

export interface Comparison {
  /** Requests/s of the service as a fraction of those of the baseline. */
  readonly ratio: number
  readonly service: number
  readonly baseline: number
  /** Microseconds of CPU time per request, and how many times as much the baseline takes. */
  readonly cpu: { readonly ratio: number; readonly service: number; readonly baseline: number }
}

/** Measures both alternately, because other programs use the machine too. `before` runs before each measurement. */
export async function compare(
  service: Target,
  baseline: Target,
  rounds = 9,
  before: () => Promise<void> = async () => undefined,
): Promise<Comparison> {
  // A warm-up that is long enough for V8 to compile both.
  for (const target of [service, baseline])
    await measureRate({ ...target, load: { ...target.load, duration: 6 } })
  const pairs: { service: Measured; baseline: Measured }[] = []
  for (let round = 0; round < rounds; round++) {
    await before()
    const first = await measureRate(service)
    await before()
    pairs.push({ service: first, baseline: await measureRate(baseline) })
  }
  const medianOf = (value: (pair: { service: Measured; baseline: Measured }) => number) =>
    median(pairs.map(value))
  return {
    ratio: medianOf(pair => pair.service.rate / pair.baseline.rate),
    service: medianOf(pair => pair.service.rate),
    baseline: medianOf(pair => pair.baseline.rate),
    cpu: {
      ratio: medianOf(pair => pair.baseline.cpu / pair.service.cpu),
      service: medianOf(pair => pair.service.cpu),
      baseline: medianOf(pair => pair.baseline.cpu),
    },
  }
}
