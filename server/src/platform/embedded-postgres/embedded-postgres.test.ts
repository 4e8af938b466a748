import { readFileSync, statSync } from 'node:fs'
import { chmod, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshFolder } from '#test/support/process.ts'
import { type EmbeddedOptions, type EmbeddedPostgres, openEmbedded } from './index.ts'

/** Each test leaves it with its PostgreSQL stopped. */
let dataDir: string
beforeAll(async () => {
  dataDir = await freshFolder()
  await (await open()).release()
})

const user = `test (process ${process.pid})`

const open = (more: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> =>
  openEmbedded({ dataDir, user, exclusive: true, ...more })

/** Where the locks are: they belong to a database. */
async function connect({ connection }: EmbeddedPostgres): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, database: 'postgres', application_name: 'looking on' })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** The sessions of the process under test, with the number of locks that each holds. */
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

/** Kills a process of PostgreSQL, which then ends all sessions and recovers. */
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
  it('takes both locks again, as soon as PostgreSQL lets it in', async () => {
    const reasons: string[] = []
    const embedded = await open({ onLost: why => void reasons.push(why) })
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

  it('learns that another process serves by now', async () => {
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

  it('leaves nothing running when it is released at that moment', async () => {
    const embedded = await open()
    await crash(embedded)
    await embedded.release()
    expect(await isStopped()).toBe(true)
  })
})

describe('a recovery that takes long', () => {
  // PostgreSQL asks for more of its log until the file `go` is there.
  const slow = {
    hot_standby: 'off',
    restore_command: 'until test -e go || ! test -e postmaster.pid; do sleep 0.05; done; false',
  }
  beforeEach(async () => {
    await rm(join(dataDir, 'postgres/go'), { force: true })
    await writeFile(join(dataDir, 'postgres/recovery.signal'), '')
  })

  it('is waited for as long as PostgreSQL lives, with a line in the log now and then', async () => {
    const lines: string[] = []
    const opening = open({
      settings: slow,
      log: { warn: (_about: object, text: string) => void lines.push(text) } as EmbeddedOptions['log'] & {},
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

  it('is stopped by the process that leaves meanwhile', async () => {
    await rm(join(dataDir, 'postgres/recovery.signal'))
    const embedded = await open({ settings: slow, limits: { leavingMilliseconds: 100 } })
    await writeFile(join(dataDir, 'postgres/recovery.signal'), '')
    await crash(embedded)
    await embedded.release()
    expect(await isStopped()).toBe(true)
  })

  it('ends when the process is told to stop', async () => {
    const interruption = new AbortController()
    const before = timesLogged('starting up')
    const opening = open({ settings: slow, interrupted: interruption.signal })
    await expect.poll(() => timesLogged('starting up')).toBeGreaterThan(before)
    interruption.abort(new Error('told to stop'))
    await expect(opening).rejects.toThrow('told to stop')
    expect(await isStopped()).toBe(true)
    // Also when the process has only just been started.
    await expect(open({ settings: slow, interrupted: interruption.signal })).rejects.toThrow('told to stop')
    expect(await isStopped()).toBe(true)
  })
})

it('a start that fails is told in the words of this start', async () => {
  await rm(join(dataDir, 'postgres/recovery.signal'), { force: true })
  await expect(open({ settings: { nonsense: '1' } })).rejects.toThrow(
    /^PostgreSQL did not start: [^|]* FATAL: {2}unrecognized configuration parameter "nonsense"$/,
  )
})

it('what the system refuses is told as it is', async () => {
  const folder = await freshFolder()
  await symlink('postgres.log', join(folder, 'postgres.log')) // a link to itself cannot be opened
  await expect(openEmbedded({ dataDir: folder, user, exclusive: true })).rejects.toThrow(
    `The data folder ${folder} cannot be used: ELOOP`,
  )
})

it('the log before the last is for its owner alone too', async () => {
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
