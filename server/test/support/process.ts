// The real command line in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { appendFile, chmod, chown, mkdtemp, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { copyFolder, preparedFolder } from './postgres.ts'

const bin = join(import.meta.dirname, '../../bin/signoff.js')

/** Goes when all tests are done, with whatever still runs in it. */
export const freshFolder = (): Promise<string> => mkdtemp(join(inject('folder'), 'data-'))

/** A data folder with a database in it, as after `migrate`: for all tests but those of the first start. */
export async function readyFolder(): Promise<string> {
  const dataDir = await freshFolder()
  await copyFolder(preparedFolder(inject('folder')), dataDir)
  return dataDir
}

/** The same, with what PostgreSQL does against crashes of the machine: for tests of what is lost. */
export async function durableFolder(): Promise<string> {
  const dataDir = await readyFolder()
  await appendFile(join(dataDir, 'postgres/postgresql.auto.conf'), 'fsync = on\n')
  return dataDir
}

export interface Run {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  readonly ended: Promise<number | null>
}

export interface RunOptions {
  readonly env?: Record<string, string>
  readonly uid?: number
  /** As the leader of a process group, which a terminal would signal as a whole. */
  readonly detached?: boolean
}

export function run(args: string[], { env = {}, uid, detached = false }: RunOptions = {}): Run {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [bin, ...args], {
    env: { PATH, HOME, SIGNOFF_LOG_LEVEL: 'warn', ...env },
    ...(uid !== undefined && { uid, gid: uid }),
    detached,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const note = join(inject('folder'), `process-${child.pid}`)
  writeFileSync(note, String(child.pid))
  let out = ''
  let err = ''
  child.stdout?.on('data', chunk => {
    out += chunk
  })
  child.stderr?.on('data', chunk => {
    err += chunk
  })
  const ended = once(child, 'close').then(([code]) => {
    rmSync(note, { force: true })
    return code as number | null
  })
  return { child, out: () => out, err: () => err, ended }
}

/** Runs a command to its end. */
export async function signoff(
  args: string[],
  options?: RunOptions,
): Promise<{ code: number | null; out: string; err: string }> {
  const { ended, out, err } = run(args, options)
  const code = await ended
  return { code, out: out(), err: err() }
}

export interface Served extends Run {
  readonly url: string
  /** Printed on the first start alone. */
  readonly key: string | undefined
}

/** Starts `serve` on a free port and waits until it is ready. */
export async function serve(options: RunOptions = {}): Promise<Served> {
  const started = run(['serve'], { ...options, env: { PORT: '0', ...options.env } })
  const address = /running at (\S+)/
  while (!address.test(started.out())) {
    if (started.child.exitCode !== null) throw new Error(`did not start: ${started.out()}${started.err()}`)
    await sleep(20)
  }
  const url = address.exec(started.out())?.[1] ?? ''
  return { ...started, url, key: /(sgn_\w{46})/.exec(started.out())?.[1] }
}

/** Starts `work` and waits until it takes jobs. */
export async function work(options: RunOptions = {}): Promise<Run> {
  const started = run(['work'], { ...options, env: { ...options.env, SIGNOFF_LOG_LEVEL: 'info' } })
  while (!started.err().includes('"working"')) {
    if (started.child.exitCode !== null) throw new Error(`did not start: ${started.err()}`)
    await sleep(20)
  }
  return started
}

export async function stop(
  { child, ended }: Run,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<number | null> {
  child.kill(signal)
  return ended
}

/** The PostgreSQL that a killed service left behind. */
export async function stopPostgres(dataDir: string, signal: NodeJS.Signals): Promise<boolean> {
  const pid = Number.parseInt(
    await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => ''),
    10,
  )
  if (Number.isNaN(pid)) return false
  try {
    process.kill(pid, signal)
    while (process.kill(pid, 0)) await sleep(20)
  } catch {
    // gone
  }
  return true
}

export async function openTo(folder: string, uid: number): Promise<void> {
  await chmod(folder, 0o755)
  await chown(folder, uid, uid)
}

/** An ordinary user, for tests that run as root. */
export const nobody = 65_534
const isOpen = (folder: string): boolean =>
  (statSync(folder).mode & 0o005) === 0o005 && (dirname(folder) === folder || isOpen(dirname(folder)))
/** Whether we may become an ordinary user, and that user could read this checkout at all. */
export const canBeNobody = process.getuid?.() === 0 && isOpen(import.meta.dirname)
