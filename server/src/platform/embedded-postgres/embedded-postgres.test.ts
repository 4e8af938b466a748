import { readFileSync, statSync } from 'node:fs'
import { chmod, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyFolder } from '#test/support/processes/process.ts'
import { type EmbeddedOptions, type EmbeddedPostgres, openEmbedded } from './index.ts'

/** Shared by all tests. Each test stops its PostgreSQL. */
let dataDir: string
beforeAll(async () => {
  dataDir = await emptyFolder()
  await (await open()).release()
})

const user = `test (process ${process.pid})`

const open = (options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> =>
  openEmbedded({ dataDir, user, exclusive: true, ...options })

/** Connects to the database `postgres`, because advisory locks belong to a database. */
async function connect({ connection }: EmbeddedPostgres): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, database: 'postgres', application_name: 'observer' })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** The guard sessions of the process under test, with the number of locks of each. */
async function guards(client: pg.Client): Promise<{ pid: number; locks: number }[]> {
  const { rows } = await client.query(
    `select a.pid, count(l.pid)::int as locks
     from pg_stat_activity a left join pg_locks l on l.pid = a.pid and l.locktype = 'advisory' and l.granted
     where a.application_name = $1 group by a.pid`,
    [user],
  )
  return rows
}

async function endGuard(client: pg.Client): Promise<number> {
  const [guard] = await guards(client)
  await client.query('select pg_terminate_backend($1)', [guard?.pid])
  return guard?.pid ?? 0
}

/** Kills one process of PostgreSQL. PostgreSQL then ends all sessions and recovers. */
async function crash(embedded: EmbeddedPostgres): Promise<void> {
  const [victim, bystander] = [await connect(embedded), await connect(embedded)]
  const ended = new Promise(resolve => bystander.once('end', resolve))
  const { rows } = await victim.query('select pg_backend_pid() as pid')
  process.kill(rows[0].pid, 'SIGKILL')
  await ended
}

const timesLogged = (text: string): number =>
  readFileSync(join(dataDir, 'postgres.log'), 'utf8').split(text).length - 1

const isStopped = async (): Promise<boolean> =>
  readFile(join(dataDir, 'postgres/postmaster.pid')).then(
    () => false,
    () => true,
  )

describe('a process whose connection was lost', () => {
  it('takes both locks again, as soon as it can connect', async () => {
    const reasons: string[] = []
    const embedded = await open({ onLost: reason => void reasons.push(reason) })
    const client = await connect(embedded)
    const { password } = embedded.connection
    await client.query(`alter role signoff password 'another'`)
    const pid = await endGuard(client)
    await expect.poll(() => timesLogged('password authentication failed')).toBeGreaterThan(1)
    await client.query(`alter role signoff password '${password}'`)
    await expect.poll(() => guards(client)).toEqual([{ pid: expect.any(Number), locks: 2 }])
    expect((await guards(client))[0]?.pid).not.toBe(pid)
    await client.end()
    await embedded.release()
    expect([reasons, await isStopped()]).toEqual([[], true])
  })

  it('is told when another process serves now', async () => {
    const lost = Promise.withResolvers<string>()
    const embedded = await open({ onLost: lost.resolve })
    const client = await connect(embedded)
    const { password } = embedded.connection
    await client.query(`alter role signoff password 'another'`)
    await endGuard(client)
    await client.query('select pg_advisory_lock(7364002)')
    await client.query(`alter role signoff password '${password}'`)
    expect(await lost.promise).toContain('another process serves')
    await embedded.release()
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
    await (await open()).release()
    expect(await isStopped()).toBe(true)
  })

  it('leaves no PostgreSQL running when it is released during the recovery', async () => {
    const embedded = await open()
    await crash(embedded)
    await embedded.release()
    expect(await isStopped()).toBe(true)
  })
})

describe('a PostgreSQL whose main process has ended', () => {
  const kill = async () => {
    const pid = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
    process.kill(pid, 'SIGKILL')
  }

  /** Until it is started again, and `embedded` holds its locks. */
  const untilGuarded = async (embedded: EmbeddedPostgres) => {
    await expect.poll(() => connect(embedded).then(client => client.end(), String)).toBe(undefined)
    const client = await connect(embedded)
    await expect.poll(() => guards(client)).toEqual([{ pid: expect.any(Number), locks: 2 }])
    await client.end()
  }

  it('is started again by the processes that use it, and stopped by the last one', async () => {
    const lines: string[] = []
    const log = {
      warn: (_fields: object, text: string) => void lines.push(text),
    } as EmbeddedOptions['log'] & {}
    const [embedded, other] = [await open({ log }), await open({ exclusive: false, user: 'other', log })]
    for (const count of [1, 2]) {
      await kill()
      await untilGuarded(embedded)
      expect(lines.filter(line => line.includes('started again')).length).toBeGreaterThanOrEqual(count)
    }
    await other.release()
    await embedded.release()
    expect(await isStopped()).toBe(true)
  })

  it('is started again until it can be, with longer pauses, and not after the release', async () => {
    const pauses: number[] = []
    const log = { warn: (fields: { pause?: number }) => void pauses.push(fields.pause ?? -1) } as never
    const embedded = await open({ log })
    const control = join(dataDir, 'postgres/global/pg_control')
    await rename(control, `${control}.away`)
    await kill()
    await expect.poll(() => pauses.length).toBeGreaterThan(3)
    expect(pauses.slice(0, 4)).toEqual([0, 200, 400, 800])
    await rename(`${control}.away`, control)
    await untilGuarded(embedded)
    await rename(control, `${control}.away`)
    await kill()
    await expect.poll(() => pauses.filter(pause => pause === 200).length).toBe(2)
    await embedded.release()
    await rename(`${control}.away`, control)
    const count = pauses.length
    await (await open()).release()
    expect([pauses.length, await isStopped()]).toEqual([count, true])
  })

  it('ends the process when its data folder is gone', async () => {
    const folder = await emptyFolder()
    const lost = Promise.withResolvers<string>()
    await openEmbedded({ dataDir: folder, user, exclusive: true, onLost: lost.resolve })
    const pid = Number.parseInt(await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10)
    await rm(join(folder, 'postgres'), { recursive: true })
    process.kill(pid, 'SIGKILL')
    expect(await lost.promise).toContain('the data folder of the embedded PostgreSQL is gone')
  })
})

describe('a recovery that takes long', () => {
  // The restore command blocks the recovery until the file `go` exists.
  const slow = {
    hot_standby: 'off',
    restore_command: 'until test -e go || ! test -e postmaster.pid; do sleep 0.05; done; false',
  }
  beforeEach(async () => {
    await rm(join(dataDir, 'postgres/go'), { force: true })
    await writeFile(join(dataDir, 'postgres/recovery.signal'), '')
  })

  it('has no timeout while PostgreSQL runs, and is logged at intervals', async () => {
    const lines: string[] = []
    const opening = open({
      settings: slow,
      log: { warn: (_fields: object, text: string) => void lines.push(text) } as EmbeddedOptions['log'] & {},
      limits: { silentMilliseconds: 50, reportMilliseconds: 100 },
    })
    await expect.poll(() => lines.length).toBeGreaterThan(2)
    expect(lines[0]).toContain('waiting for PostgreSQL')
    // Another process waits for the same server.
    const other = open({ exclusive: false })
    await writeFile(join(dataDir, 'postgres/go'), '')
    await (await opening).release()
    await (await other).release()
    expect(await isStopped()).toBe(true)
  })

  it('is stopped by a process that is released meanwhile', async () => {
    await rm(join(dataDir, 'postgres/recovery.signal'))
    const embedded = await open({ settings: slow, limits: { leavingMilliseconds: 100 } })
    await writeFile(join(dataDir, 'postgres/recovery.signal'), '')
    await crash(embedded)
    await embedded.release()
    expect(await isStopped()).toBe(true)
  })

  it('is stopped when the process gets the order to stop', async () => {
    const interruption = new AbortController()
    const before = timesLogged('starting up')
    const opening = open({ settings: slow, interrupted: interruption.signal })
    await expect.poll(() => timesLogged('starting up')).toBeGreaterThan(before)
    interruption.abort(new Error('told to stop'))
    await expect(opening).rejects.toThrow('told to stop')
    expect(await isStopped()).toBe(true)
    // Also if PostgreSQL has only just been started.
    await expect(open({ settings: slow, interrupted: interruption.signal })).rejects.toThrow('told to stop')
    expect(await isStopped()).toBe(true)
  })
})

it('a failed start is reported with the log lines of this start', async () => {
  await rm(join(dataDir, 'postgres/recovery.signal'), { force: true })
  await expect(open({ settings: { nonsense: '1' } })).rejects.toThrow(
    /^PostgreSQL did not start: [^|]* FATAL: {2}unrecognized configuration parameter "nonsense"$/,
  )
})

it('an error of the operating system is reported as it is', async () => {
  const folder = await emptyFolder()
  await symlink('postgres.log', join(folder, 'postgres.log')) // a link to itself cannot be opened
  await expect(openEmbedded({ dataDir: folder, user, exclusive: true })).rejects.toThrow(
    `The data folder ${folder} cannot be used: ELOOP`,
  )
})

it('only the owner can read the log and the rotated log', async () => {
  const log = join(dataDir, 'postgres.log')
  const modes = () => [log, `${log}.1`].map(path => statSync(path).mode & 0o777)
  await writeFile(`${log}.1`, 'rotated by an earlier version', { mode: 0o644 })
  await chmod(log, 0o644)
  await (await open()).release()
  expect(modes()).toEqual([0o600, 0o600])
  await truncate(log, 10_000_001)
  await (await open()).release()
  expect(modes()).toEqual([0o600, 0o600])
  expect(statSync(`${log}.1`).size).toBe(10_000_001)
})
