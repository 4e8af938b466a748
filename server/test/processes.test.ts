// @module-tag random
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { chmod, mkdir, readFile, symlink, unlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { generate } from 'selfsigned'
import { SMTPServer } from 'smtp-server'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { mintKey } from '#kernel/api/bearer-keys.ts'
import { locks } from '#kernel/db/locks.ts'
import { type CommandResult, command } from './support/command.ts'
import { copyFolder, preparedFolder, query, urlOf, withDatabase } from './support/postgres/postgres.ts'
import {
  canUseOrdinaryUid,
  durableFolder,
  emptyFolder,
  giveFolderTo,
  migratedFolder,
  ordinaryUid,
  queryStopped,
  run,
  type Served,
  serve,
  signoff,
  stop,
  stopPostgres,
} from './support/processes/process.ts'
import { runs } from './support/runs.ts'

const api = (served: Served, key: string | undefined, path: string, init: RequestInit = {}) =>
  fetch(`${served.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
  })
const post = (served: Served, key: string | undefined, path: string, body: object, headers = {}) =>
  api(served, key, path, { method: 'POST', body: JSON.stringify(body), headers })

const isRoot = process.getuid?.() === 0
/** Waits while PostgreSQL recovers from a crash (57P03). */
async function openClient(dataDir: string): Promise<pg.Client> {
  for (;;) {
    const client = await connectTo(dataDir).catch(error => {
      if (error.code !== '57P03') throw error
      return null
    })
    if (client) return client
  }
}

async function connectTo(dataDir: string): Promise<pg.Client> {
  const password = await readFile(join(dataDir, 'postgres/signoff.password'), 'utf8')
  const client = new pg.Client({
    host: join(dataDir, 'run'),
    port: 5432,
    user: 'signoff',
    password,
    database: 'signoff',
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Poll options for things that happen fast on a fast machine and slowly on a slow one. */
const pollOptions = { interval: 10, timeout: 100_000 }

/** Waits until a statement of the service waits for a lock of this client. */
const waitUntilBlocked = (client: pg.Client): Promise<void> =>
  expect
    .poll(async () => (await client.query('select from pg_locks where not granted')).rowCount, pollOptions)
    .toBe(1)

/** Waits until the service listens for jobs: then its start is complete. */
async function waitUntilListening(dataDir: string): Promise<void> {
  const client = await openClient(dataDir)
  const listeners = `select from pg_stat_activity where query ilike 'listen "jobs:insert"%'`
  await expect.poll(async () => (await client.query(listeners)).rowCount, pollOptions).toBeGreaterThan(0)
  await client.end()
}

/** A start that was refused: no banner, and a one-line error. */
function expectRefusal({ code, out, err }: CommandResult, message: string): void {
  expect(code, message).toBe(1)
  expect(out).toMatch(/^( {2}[^\n]*…\n)*$/) // only steps
  expect(err).toContain(message)
  expect(err.trim().split('\n'), err).toHaveLength(1)
}

/** Stops a detached service as a terminal and npm do: both send the signal. */
async function expectCleanStop(served: Served, dataDir: string, signal: NodeJS.Signals): Promise<void> {
  process.kill(-(served.child.pid ?? 0), signal)
  await expect.poll(served.err, pollOptions).toContain('"stopping"')
  served.child.kill(signal)
  expect(await served.ended, signal).toBe(0)
  await expect(readFile(join(dataDir, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
}

describe('serve', () => {
  it('starts without a folder, prints its key once, and stops PostgreSQL at the end', async () => {
    const privateFolder = await emptyFolder()
    const dataDir = join(privateFolder, 'data')
    const env = { SIGNOFF_DATA_DIR: dataDir, SIGNOFF_LOG_LEVEL: 'info' }
    const first = await serve({ env, detached: true })
    // Also as root, in a folder that only root can enter: PostgreSQL runs as another user.
    expect(statSync(privateFolder).mode & 0o777).toBe(0o700)
    if (isRoot) expect(statSync(join(dataDir, 'postgres')).uid).not.toBe(0)
    expect(first.key).toMatch(/^sgn_\w{46}$/)
    expect(first.out()).toMatch(
      /^ {2}Making the database .*\n {2}Starting PostgreSQL…\n {2}Making or changing tables/,
    )
    expect(first.out()).toContain(`${first.url}/docs`)
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
    expect((await api(first, first.key, '/v1/workspace')).status).toBe(200)
    const folder = await post(first, first.key, '/v1/folders', { name: 'Kept' })
    expect(folder.status).toBe(201)
    await expectCleanStop(first, dataDir, 'SIGTERM')

    const late = mintKey()
    const second = await serve({ env: { ...env, SIGNOFF_API_KEY: late }, detached: true })
    expect(second.key).toBeUndefined()
    expect((await api(second, late, '/v1/workspace')).status).toBe(401) // only the first start takes a key
    expect(second.out()).toMatch(/^ {2}Starting PostgreSQL…\n\n {2}Signoff is running/)
    expect(second.out()).not.toContain('sgn_')
    const { data } = (await (await api(second, first.key, '/v1/folders')).json()) as {
      data: { name: string }[]
    }
    expect(data.map(folder => folder.name)).toEqual(['Kept'])
    await expectCleanStop(second, dataDir, 'SIGINT')
  })

  it('prints the key on the second start if the first start failed, and starts its PostgreSQL again when that is killed', {
    tags: ['deep'],
  }, async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as { port: number }
    const dataDir = await migratedFolder()
    const env = { SIGNOFF_DATA_DIR: dataDir }
    expectRefusal(await command(['serve'], { ...env, PORT: String(port) }), `PORT ${port} is in use`)
    blocker.close()
    const served = await serve({ env })
    expect(served.key).toMatch(/^sgn_/)
    await waitUntilListening(dataDir)
    await stopPostgres(dataDir, 'SIGKILL')
    await expect.poll(() => served.err()).toContain('PostgreSQL has ended and is started again')
    await expect.poll(async () => (await fetch(`${served.url}/readyz`)).status).toBe(200)
    expect(await stop(served)).toBe(0)
    await expect(readFile(join(dataDir, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
  })

  it('stops cleanly while PostgreSQL is starting', async () => {
    const dataDir = await migratedFolder()
    const starting = run(['serve'], { env: { SIGNOFF_DATA_DIR: dataDir, PORT: '0' } })
    await expect
      .poll(() => readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => ''), pollOptions)
      .not.toBe('')
    starting.child.kill('SIGTERM')
    expect(await starting.ended).toBe(0)
    await expect(readFile(join(dataDir, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
  })

  it('runs the unfinished jobs of a killed process, and stops within 5 s when a job and a request hang', async () => {
    const mails: string[] = []
    let hang = true
    let arrived = Promise.withResolvers<void>()
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _session, done) {
        stream.resume()
        stream.on('end', () => {
          if (hang) return arrived.resolve()
          mails.push('one')
          done()
        })
      },
    })
    const port = await new Promise<number>(resolve => {
      const listening = server.listen(0, '127.0.0.1', () =>
        resolve((listening.address() as { port: number }).port),
      )
    })
    const dataDir = await migratedFolder()
    const env = {
      SIGNOFF_DATA_DIR: dataDir,
      SIGNOFF_SMTP_URL: `smtp://127.0.0.1:${port}`,
      SIGNOFF_OPERATOR_EMAIL: 'ops@example.com',
    }
    const starting = Date.now()
    const first = await serve({ env })
    const startTook = Date.now() - starting
    await post(first, first.key, '/v1/feedback', { category: 'bug', message: 'x' })
    await arrived.promise
    await stop(first, 'SIGKILL')
    hang = false
    const second = await serve({ env })
    await expect.poll(() => mails.length).toBeGreaterThan(0)

    hang = true
    arrived = Promise.withResolvers<void>()
    await post(second, first.key, '/v1/feedback', { category: 'bug', message: 'stuck' })
    const client = await openClient(dataDir)
    await client.query('begin; lock table folders in access exclusive mode')
    const pendingRequest = post(second, first.key, '/v1/folders', { name: 'Stuck' }).catch(() => null)
    await Promise.all([arrived.promise, waitUntilBlocked(client)])
    const began = Date.now()
    expect(await stop(second)).toBe(0)
    // The service waits for at most 3.2 s. The rest of the shutdown takes less time than a start, on any machine.
    expect(Date.now() - began).toBeLessThan(3_500 + 2 * startTook)
    await pendingRequest
    await client.end().catch(() => undefined)
    const jobs = await queryStopped(
      dataDir,
      'select locked_by from graphile_worker.jobs where task_identifier = $1',
      ['feedback.mail'],
    )
    expect(jobs).toEqual([{ locked_by: null }])
    server.close()
  })

  it.runIf(isRoot)(
    'does not follow a symbolic link that another user put in /tmp for its socket',
    async () => {
      const dataDir = join(await emptyFolder(), 'a'.repeat(120), 'data')
      await mkdir(dataDir, { recursive: true })
      const victim = await emptyFolder()
      const trap = join(tmpdir(), `signoff-${hash('sha256', dataDir).slice(0, 16)}`)
      await symlink(victim, trap)
      const { code, err } = await command(['serve'], { SIGNOFF_DATA_DIR: dataDir })
      expect([code, err]).toEqual([1, `${trap} belongs to another user; remove it.\n`])
      expect(statSync(victim).uid).toBe(0)
      await unlink(trap)
    },
  )

  it('loses no acknowledged write when it is killed repeatedly', { tags: ['deep'] }, async () => {
    const dataDir = await durableFolder()
    const env = { SIGNOFF_DATA_DIR: dataDir }
    let key: string | undefined
    const acknowledged = new Set<string>()
    for (let round = 0; round < runs(2); round++) {
      const served = await serve({ env })
      key ??= served.key
      let isAlive = true
      const write = async (writer: number) => {
        for (let n = 0; isAlive; n++) {
          const name = `${round}-${writer}-${n}`
          const answer = await post(served, key, '/v1/folders', { name }).catch(() => null)
          if (answer?.status === 201) acknowledged.add(name)
        }
      }
      const writers = [write(0), write(1), write(2), write(3)]
      const enough = acknowledged.size + 50 + round * 20
      await expect.poll(() => acknowledged.size, pollOptions).toBeGreaterThan(enough)
      served.child.kill('SIGKILL')
      isAlive = false
      await Promise.all(writers)
      // PostgreSQL keeps running. In every second round it is killed too: the write-ahead log must restore everything.
      if (round % 2 === 1) expect(await stopPostgres(dataDir, 'SIGKILL')).toBe(true)
    }
    const rows = await queryStopped<{ name: string }>(dataDir, 'select name from folders')
    const storedNames = new Set(rows.map(({ name }) => name))
    expect(storedNames.size).toBe(rows.length)
    expect(acknowledged.size).toBeGreaterThan(50)
    expect([...acknowledged].filter(name => !storedNames.has(name))).toEqual([])
  })

  it('exits with a one-line error when it cannot start', async () => {
    const cases: [Record<string, string>, string][] = [
      [{ PORT: 'http' }, 'PORT must be a whole number'],
      [
        { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' },
        'DATABASE_URL: no PostgreSQL answers at 127.0.0.1:1',
      ],
      [{ SIGNOFF_DATA_DIR: '/dev/null/data' }, 'The data folder /dev/null/data cannot be made'],
    ]
    for (const [env, message] of cases) expectRefusal(await command(['serve'], env), message)
  })

  it('refuses a database that is newer than itself', async () => {
    const admin = inject('postgres')
    await query(admin, 'create database signoff_newer template signoff_template')
    const url = urlOf(withDatabase(admin, 'signoff_newer'))
    await query(
      withDatabase(admin, 'signoff_newer'),
      `insert into schema_migrations values (9999, '9999_future.sql', now())`,
    )
    const { code, err } = await command(['serve'], { DATABASE_URL: url })
    expect([code, err.trim()]).toEqual([
      1,
      expect.stringContaining('The database is at version 9999, newer than this Signoff'),
    ])
    await query(admin, 'drop database signoff_newer')
  })

  it.runIf(canUseOrdinaryUid)('works as an ordinary user', { tags: ['deep'] }, async () => {
    const dataDir = await emptyFolder()
    await giveFolderTo(dataDir, ordinaryUid)
    const served = await serve({ env: { SIGNOFF_DATA_DIR: dataDir }, uid: ordinaryUid })
    expect((await api(served, served.key, '/v1/workspace')).status).toBe(200)
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(ordinaryUid)
    served.child.kill('SIGKILL')
    await served.ended
    // The PostgreSQL that the killed service left running: a command of the same user uses it, and stops it.
    const list = await signoff(['workspaces', 'list'], {
      env: { SIGNOFF_DATA_DIR: dataDir },
      uid: ordinaryUid,
    })
    expect([list.code, list.out]).toEqual([0, expect.stringContaining('My company')])
    await expect(readFile(join(dataDir, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
  })

  it('serves HTTPS with a certificate, and data in a folder with a very long path', async () => {
    const folder = await emptyFolder()
    const { cert, private: privateKey } = await generate([{ name: 'commonName', value: 'localhost' }])
    await writeFile(join(folder, 'cert.pem'), cert)
    await writeFile(join(folder, 'key.pem'), privateKey)
    const dataDir = join(folder, 'a'.repeat(100), 'b'.repeat(60), 'data')
    await mkdir(dataDir, { recursive: true })
    await copyFolder(preparedFolder(inject('folder')), dataDir)
    const env = {
      SIGNOFF_DATA_DIR: dataDir,
      SIGNOFF_LOG_LEVEL: 'info',
      SIGNOFF_TLS_CERT: join(folder, 'cert.pem'),
      SIGNOFF_TLS_KEY: join(folder, 'key.pem'),
    }
    const served = await serve({ env, detached: true })
    expect(served.url).toMatch(/^https:\/\/localhost:\d+$/)
    const httpsRequest = request(`${served.url}/readyz`, {
      agent: new Agent({ rejectUnauthorized: false }),
      host: '127.0.0.1',
    })
    httpsRequest.end()
    const [answer] = await once(httpsRequest, 'response')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000')
    answer.resume()
    await expectCleanStop(served, dataDir, 'SIGHUP')
  })
})

/** One process for all of these tests. The last one stops it. */
describe('a running service', () => {
  const key = mintKey()
  let dataDir: string
  let served: Served
  beforeAll(async () => {
    dataDir = await migratedFolder()
    await chmod(join(dataDir, 'postgres.log'), 0o644) // the mode that an earlier version used
    served = await serve({ env: { SIGNOFF_DATA_DIR: dataDir, SIGNOFF_API_KEY: key } })
  })

  it('takes its first key from the environment, and does not print it', async () => {
    expect(served.out()).not.toContain('sgn_')
    expect((await api(served, key, '/v1/workspace')).status).toBe(200)
  })

  it('names the process that uses the data folder, and allows the command line at the same time', async () => {
    const env = { SIGNOFF_DATA_DIR: dataDir }
    const second = await command(['serve'], env)
    expect(second.code).toBe(1)
    expect(second.err).toContain(`is in use by signoff serve (process ${served.child.pid}`)
    expect(second.err.trim().split('\n')).toHaveLength(1)
    const created = await command(['keys', 'create', 'beside'], env)
    const made = /sgn_\w{46}/.exec(created.out)?.[0]
    expect((await api(served, made, '/v1/workspace')).status).toBe(200)
  })

  it('is found through a symbolic link to its data folder', async () => {
    const link = join(await emptyFolder(), 'link')
    await symlink(dataDir, link)
    expect((await command(['workspaces', 'list'], { SIGNOFF_DATA_DIR: link })).out).toContain('My company')
    const second = await command(['serve'], { SIGNOFF_DATA_DIR: link })
    expect(second.err).toContain(`is in use by signoff serve (process ${served.child.pid}`)
    expect((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).length).toBeGreaterThan(0)
    expect((await api(served, key, '/v1/workspace')).status).toBe(200)
  })

  it('keeps the log of its PostgreSQL private, without personal data', async () => {
    const client = await openClient(dataDir)
    for (let n = 0; n < 2; n++)
      await client
        .query(
          `insert into workspaces (id, name, created_at, updated_at) select id, 'ada@example.com', now(), now() from workspaces`,
        )
        .catch(() => undefined)
    await client.end()
    expect(statSync(join(dataDir, 'postgres.log')).mode & 0o077).toBe(0)
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8')
    expect(log).toContain('ERROR')
    expect(log).not.toContain('ada@example.com')
  })

  it('is not ready while the database is read-only', async () => {
    const ready = async () => (await fetch(`${served.url}/readyz`)).status
    expect(await ready()).toBe(200)
    const client = await openClient(dataDir)
    const setReadOnly = async (value: 'on' | 'off') => {
      await client.query(`alter system set default_transaction_read_only = ${value}`)
      await client.query('select pg_reload_conf()')
    }
    await setReadOnly('on')
    await expect.poll(ready).toBe(503)
    expect((await fetch(`${served.url}/healthz`)).status).toBe(200)
    expect((await post(served, key, '/v1/folders', { name: 'x' })).status).toBe(503)
    await client.query('set default_transaction_read_only = off')
    await setReadOnly('off')
    await expect.poll(ready).toBe(200)
    await client.end()
  })

  it('continues when a backend process of its PostgreSQL dies and PostgreSQL recovers', async () => {
    for (let round = 0; round < 2; round++) {
      const [victim, bystander] = [await openClient(dataDir), await openClient(dataDir)]
      const ended = new Promise(resolve => bystander.once('end', resolve))
      const { rows } = await victim.query('select pg_backend_pid() as pid')
      process.kill(rows[0].pid, 'SIGKILL')
      await ended // PostgreSQL has noticed, and ends all sessions
      const statuses = new Set<number>()
      await expect
        .poll(async () => {
          const answer = await post(served, key, '/v1/folders', { name: `Round ${round}` })
          statuses.add(answer.status)
          return answer.status
        })
        .toBe(201)
      statuses.delete(201)
      expect([...statuses].filter(status => status !== 503)).toEqual([])
      await expect.poll(async () => (await fetch(`${served.url}/readyz`)).status).toBe(200)
    }
    // The service takes its locks again: then a second service is refused, and the last test expects that it stops
    // PostgreSQL.
    const client = await openClient(dataDir)
    const serving = {
      text: `select from pg_locks where locktype = 'advisory' and objid = $1 and granted`,
      values: [locks.embeddedServing],
    }
    await expect.poll(async () => (await client.query(serving)).rowCount, pollOptions).toBe(1)
    await client.end()
    const second = await command(['serve'], { SIGNOFF_DATA_DIR: dataDir, PORT: '0' })
    expect(second.err).toContain(`is in use by signoff serve (process ${served.child.pid}`)
  })

  it('answers running requests before it stops, and then stops PostgreSQL', async () => {
    const client = await openClient(dataDir)
    await client.query('begin; lock table folders in access exclusive mode')
    const pendingRequest = post(served, key, '/v1/folders', { name: 'In flight' })
    await waitUntilBlocked(client)
    served.child.kill('SIGTERM')
    const isClosed = () =>
      fetch(`${served.url}/healthz`).then(
        () => false,
        () => true,
      )
    await expect.poll(isClosed, pollOptions).toBe(true)
    await client.query('commit')
    expect((await pendingRequest).status).toBe(201)
    expect(await served.ended).toBe(0)
    await expect(readFile(join(dataDir, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
  })
})

describe('two processes on one PostgreSQL', () => {
  it('start together, create one workspace, and share idempotency keys and key revocations', async () => {
    const admin = inject('postgres')
    await query(admin, 'create database signoff_shared')
    const env = { DATABASE_URL: urlOf(withDatabase(admin, 'signoff_shared')) }
    const [first, second] = (await Promise.all([serve({ env }), serve({ env })])) as [Served, Served]
    const keys = [first.key, second.key].filter(key => key !== undefined)
    expect(keys).toHaveLength(1)
    const [key] = keys

    const requests = Array.from({ length: 10 }, (_, i) =>
      post(i % 2 ? first : second, key, '/v1/folders', { name: 'Once' }, { 'idempotency-key': 'same' }),
    )
    const answers = await Promise.all(
      (await Promise.all(requests)).map(answer => answer.json() as Promise<{ data: { id: string } }>),
    )
    expect(new Set(answers.map(answer => answer.data.id)).size).toBe(1)

    const created = (await (await post(first, key, '/v1/api_keys', { name: 'short-lived' })).json()) as {
      data: { id: string; key: string }
    }
    expect((await api(second, created.data.key, '/v1/workspace')).status).toBe(200)
    expect((await api(first, key, `/v1/api_keys/${created.data.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await api(first, created.data.key, '/v1/workspace')).status).toBe(401)
    const revoked = Date.now()
    let acceptedAt = 0
    const status = async () => {
      const began = Date.now()
      const answer = await api(second, created.data.key, '/v1/workspace')
      if (answer.status === 200) acceptedAt = began
      return answer.status
    }
    await expect.poll(status).toBe(401)
    // A request sent later than 5 s after the revocation is refused. The time of the response does not matter.
    expect(acceptedAt - revoked).toBeLessThan(5_000)

    expect(await stop(first)).toBe(0)
    expect((await api(second, key, '/v1/workspace')).status).toBe(200)
    expect(await stop(second)).toBe(0)
    await query(admin, 'drop database signoff_shared with (force)')
  })
})

describe('npm start', () => {
  it('forwards the signal and waits until the service has stopped', async () => {
    const { spawn } = await import('node:child_process')
    const env = {
      ...process.env,
      SIGNOFF_DATA_DIR: await migratedFolder(),
      PORT: '0',
      SIGNOFF_LOG_LEVEL: 'warn',
    }
    const npm = spawn('npm', ['start'], {
      env,
      cwd: join(import.meta.dirname, '../..'),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let out = ''
    npm.stdout.on('data', chunk => {
      out += chunk
    })
    const ended = once(npm, 'close')
    await expect.poll(() => out).toContain('running at')
    npm.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
    const url = /running at (\S+)/.exec(out)?.[1]
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    await expect(readFile(join(env.SIGNOFF_DATA_DIR, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
  })
})
