// A real PgBouncer before a PostgreSQL: the program in SIGNOFF_TEST_PGBOUNCER, or the one of the PATH.
import { spawn, spawnSync } from 'node:child_process'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { emptyFolder, giveFolderTo } from '../processes/process.ts'
import { urlOf } from './postgres.ts'

const program = process.env.SIGNOFF_TEST_PGBOUNCER ?? 'pgbouncer'
const answer = spawnSync(program, ['--version'], { encoding: 'utf8' })

/** Such as `1.24.1`. Undefined: there is no PgBouncer on this machine. */
export const pgbouncerVersion = /^PgBouncer (\S+)/.exec(answer.stdout ?? '')?.[1]
const [major = 0, minor = 0] = (pgbouncerVersion ?? '').split('.').map(Number)

/** True if it tracks prepared statements. */
export const isNewPgbouncer = major > 1 || minor >= 21

if (pgbouncerVersion === undefined)
  process.stderr.write(
    `Tests behind PgBouncer are skipped: ${program} cannot be run; install it, or set SIGNOFF_TEST_PGBOUNCER.\n`,
  )

export interface Pgbouncer {
  /** The same database, through the pooler. */
  readonly connection: pg.ClientConfig
  readonly url: string
  stop(): Promise<void>
}

/** In transaction mode with two connections to each database, so that clients take turns. */
export async function startPgbouncer(
  target: pg.ClientConfig,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<Pgbouncer> {
  const { host, port, user, password, database } = new pg.Client(target)
  const folder = await emptyFolder()
  const lines = {
    listen_addr: '',
    listen_port: 6432, // only a part of the socket's name
    unix_socket_dir: folder,
    auth_type: 'trust',
    auth_file: join(folder, 'users.txt'),
    pool_mode: 'transaction',
    default_pool_size: 2,
    max_client_conn: 500,
    server_login_retry: 1,
    query_wait_timeout: 5,
    ...(isNewPgbouncer && { max_prepared_statements: 500 }),
    ...settings,
  }
  const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}\n`)
  writeFileSync(join(folder, 'users.txt'), `"${user}" "${password}"\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]\n* = host=${host} port=${port}\n[pgbouncer]\n${text.join('')}`,
  )
  // PgBouncer refuses to run as root. The owner of PostgreSQL's socket can enter its folder.
  const uid = process.getuid?.() === 0 ? ownerOf(host, port) : undefined
  if (uid !== undefined) await giveFolderTo(folder, uid)
  const child = spawn(program, [join(folder, 'pgbouncer.ini')], {
    ...(uid !== undefined && { uid, gid: uid }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const pidFile = join(inject('folder'), `process-${child.pid}`)
  writeFileSync(pidFile, String(child.pid))
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  let log = ''
  child.stderr.on('data', chunk => {
    log += chunk
  })
  while (!log.includes('process up')) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${log}`)
    await sleep(10)
  }
  const connection = { host: folder, port: 6432, user, password: password ?? '', database }
  return {
    connection,
    url: urlOf(connection),
    async stop() {
      child.kill('SIGQUIT') // at once: SIGTERM waits for clients in newer versions
      await ended
      rmSync(pidFile, { force: true })
    },
  }
}

const ordinaryUid = 65_534

const ownerOf = (host: string, port: number): number => {
  const socket = `${host}/.s.PGSQL.${port}`
  return host.startsWith('/') ? statSync(socket).uid || ordinaryUid : ordinaryUid
}
