// One PostgreSQL for all tests (the embedded one, or the server in SIGNOFF_TEST_DATABASE_URL), with a migrated template
// database. Each test file gets a copy of the template. Tests of a service with its own PostgreSQL get a copy of a data
// folder that is prepared once, because setting one up takes longer than most of these tests.
import { execFile } from 'node:child_process'
import { appendFile, chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { buildDashboard } from '#dashboard/index.ts'
import { sharedFolder } from '#kernel/base/browser-builds.ts'
import { createLog } from '#kernel/base/log.ts'
import { openPool, type PoolOptions } from '#kernel/db/db.ts'
import { migrate } from '#kernel/db/migrate.ts'
import { openEmbedded } from '#platform/embedded-postgres/index.ts'
import { bundleProgram } from '../processes/bundle.ts'
import { fastestFolder } from './memory-folder.ts'
import { type ClusterNode, findTestCluster, prepareClusterTemplate, runsOnCluster } from './test-cluster.ts'

export const templateDatabase = 'signoff_template'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: pg.ClientConfig
    /** Empty, unless the tests run on a cluster. */
    clusterNodes: readonly ClusterNode[]
    /** For files of the tests. After all tests its processes are killed and it is removed. */
    folder: string
    /** The folder with the bundled command line. */
    program: string
  }
}

export async function query(connection: pg.ClientConfig, text: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(text).finally(() => client.end())
}

async function migrateDatabase(connection: pg.ClientConfig): Promise<void> {
  const pool = openPool({ connection, size: 3, onError: () => undefined })
  await migrate(pool.pg, createLog('silent'))
  await pool.end()
}

/** The folder in which setup puts the data folder that tests copy. */
export const preparedFolder = (folder: string): string => join(folder, 'prepared')

/** Creates an empty, migrated database that no service has used. Without fsync: a machine crash is not tested. */
async function prepareFolder(folder: string): Promise<void> {
  const dataDir = preparedFolder(folder)
  const embedded = await openEmbedded({
    dataDir,
    user: 'tests',
    exclusive: false,
    settings: { fsync: 'off' },
  })
  await migrateDatabase(embedded.connection)
  await embedded.release()
  await appendFile(join(dataDir, 'postgres/postgresql.auto.conf'), 'fsync = off\n')
}

/** Keeps owners and modes: PostgreSQL does not accept others. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-Rp', `${from}/.`, to])
}

/** The check of the password takes 3 ms of CPU time, for thousands of connections. Services of their own keep it. */
async function trustAll(file: string): Promise<void> {
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('scram-sha-256', 'trust'))
}

async function startServer(
  folder: string,
): Promise<{ connection: pg.ClientConfig; stop: () => Promise<void> }> {
  const url = process.env.SIGNOFF_TEST_DATABASE_URL
  if (url) return { connection: { connectionString: url }, stop: async () => undefined }
  const dataDir = await mkdtemp(join(fastestFolder(), 'signoff-test-'))
  await copyFolder(preparedFolder(folder), dataDir)
  await trustAll(join(dataDir, 'postgres/pg_hba.conf'))
  // No test crashes this server, so nothing needs to be on disk. Every new database begins with a checkpoint, after
  // which PostgreSQL would write whole pages to the write-ahead log.
  const settings = { max_connections: '600', synchronous_commit: 'off', full_page_writes: 'off' }
  const embedded = await openEmbedded({ dataDir, user: 'tests', exclusive: false, settings })
  const stop = async () => {
    await embedded.release()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { connection: embedded.connection, stop }
}

async function prepareTemplate(admin: pg.ClientConfig, connection: pg.ClientConfig): Promise<void> {
  await query(admin, `drop database if exists ${templateDatabase}`)
  if (connection.connectionString) {
    await query(admin, `create database ${templateDatabase}`)
    await migrateDatabase(withDatabase(connection, templateDatabase))
  } else {
    // The copied data folder has a migrated database.
    await query(
      admin,
      `create database ${templateDatabase} template ${connection.database} strategy file_copy`,
    )
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(fastestFolder(), 'signoff-run-'))
  await chmod(folder, 0o711) // an ordinary user must be able to enter
  // Otherwise every service that a test starts begins to build it, 4 s of CPU time each, until one build is done. The
  // tests of the dashboard report a build that fails.
  const dashboard = buildDashboard([sharedFolder]).catch(() => undefined)
  const [program] = await Promise.all([bundleProgram(), prepareFolder(folder), dashboard])
  const { connection, stop } = await startServer(folder)
  project.provide('folder', folder)
  project.provide('program', program)
  const admin = connection.connectionString ? connection : { ...connection, database: 'postgres' }
  const nodes = runsOnCluster ? await findTestCluster(process.env.SIGNOFF_TEST_DATABASE_URL) : []
  if (runsOnCluster) await prepareClusterTemplate(nodes, templateDatabase)
  else await prepareTemplate(admin, connection)
  project.provide('postgres', admin)
  project.provide('clusterNodes', nodes)
  return async () => {
    await endProcesses(folder)
    await rm(folder, { recursive: true, force: true })
    await rm(program, { recursive: true, force: true })
    await stop()
  }
}

/** Kills processes that tests left running: those with a pid file, and the PostgreSQL of each data folder. */
export async function endProcesses(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true }).catch(() => [])
  for (const file of files.filter(name => /(^|\/)(process-\d+|postmaster\.pid)$/.test(name))) {
    const path = join(folder, file)
    const pid = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10)
    if (!Number.isNaN(pid) && (await isOwnerOf(path, pid))) killQuietly(pid)
  }
}

/** A PostgreSQL that was killed leaves its file behind, and the system gives its number to another process. */
async function isOwnerOf(pidFile: string, pid: number): Promise<boolean> {
  if (process.platform !== 'linux' || !pidFile.endsWith('postmaster.pid')) return true
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  return words.includes(dirname(pidFile))
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // the process has ended
  }
}

/** The same server with another database. */
export function withDatabase(connection: pg.ClientConfig, database: string): pg.ClientConfig {
  if (!connection.connectionString) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

/** The route of an app to a database: through the pooler in SIGNOFF_TEST_POOLER_URL, if it is set. */
export function routeTo(connection: pg.ClientConfig): Pick<PoolOptions, 'connection' | 'direct'> {
  const pooler = process.env.SIGNOFF_TEST_POOLER_URL
  if (!pooler) return { connection }
  const { database = '' } = new pg.Client(connection)
  return { connection: withDatabase({ connectionString: pooler }, database), direct: connection }
}

/** As a URL, for processes that get it as DATABASE_URL. */
export function urlOf(connection: pg.ClientConfig): string {
  if (connection.connectionString) return connection.connectionString
  const { user, password, host = '', port, database } = connection
  return `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
