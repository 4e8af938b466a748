// An app with the data of the demo. Filling it takes 7 s of CPU time, most of them for pictures and a year of events, so
// the first test file that needs it fills a database and a data folder, and all files get copies of both.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { readConfig } from '#config.ts'
import { fillDemo } from '#demo/index.ts'
import { openPool } from '#kernel/db/db.ts'
import { buildParts } from '#parts.ts'
import { createTestWorkspaces, freshDatabase, type TestApp, type TestOptions, testApp } from './app.ts'
import { runAllJobs } from './jobs.ts'
import { copyDatabase, dropDatabase } from './postgres/databases.ts'
import { copyFolder, templateDatabase, withDatabase } from './postgres/postgres.ts'
import { emptyFolder } from './processes/process.ts'

const demoDatabase = 'signoff_demo'

/** The demo in a workspace of its own, with all jobs done. */
export async function demoApp(options: TestOptions = {}): Promise<TestApp> {
  const filled = await filledOnce()
  const dataDir = await emptyFolder()
  await copyFolder(filled.dataDir, dataDir)
  const connection = await freshDatabase(demoDatabase)
  const env = { ...options.env, SIGNOFF_DATA_DIR: dataDir }
  return testApp({ ...options, connection, env, workspaces: filled.workspaces })
}

interface Filled {
  readonly dataDir: string
  readonly workspaces: NonNullable<TestOptions['workspaces']>
}

/** Two workers can need it at the same time: the second one waits. */
async function filledOnce(): Promise<Filled> {
  const admin = inject('postgres')
  const client = new pg.Client(admin)
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(hashtext('${demoDatabase}'))`)
    const folder = join(inject('folder'), 'demo')
    const record = join(folder, 'filled.json')
    const text = await readFile(record, 'utf8').catch(() => undefined)
    if (text !== undefined) return JSON.parse(text)
    const dataDir = join(folder, 'data')
    await mkdir(dataDir, { recursive: true })
    const filled = { dataDir, workspaces: await fill(admin, dataDir) }
    await writeFile(`${record}.new`, JSON.stringify(filled))
    await rename(`${record}.new`, record)
    return filled
  } finally {
    await client.end() // releases the lock
  }
}

/** Closes its connections: PostgreSQL copies only databases that have none. */
async function fill(admin: pg.ClientConfig, dataDir: string): Promise<Filled['workspaces']> {
  await dropDatabase(demoDatabase) // of an earlier run on the same server
  await copyDatabase(templateDatabase, demoDatabase)
  const connection = withDatabase(admin, demoDatabase)
  const db = openPool({ connection, size: 10, onError: () => undefined })
  try {
    const parts = buildParts(readConfig({ SIGNOFF_DATA_DIR: dataDir }))
    const workspaces = await createTestWorkspaces(db)
    await fillDemo(db, workspaces.own.by, parts)
    await runAllJobs({ db, parts })
    return workspaces
  } finally {
    await db.end()
  }
}
