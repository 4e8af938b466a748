// PostgreSQL refuses to run as root. If the service runs as root, PostgreSQL runs under another account of the machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chown, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '#kernel/base/errors.ts'

export interface SystemAccount {
  readonly uid: number
  readonly gid: number
  /** A command (setpriv) to put before each command, if the account alone cannot enter the folders. */
  readonly prefix: readonly string[]
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Null: run under the account of this process. */
export async function accountFor(
  folder: string,
  dataDir: string,
  binary: string,
): Promise<SystemAccount | null> {
  if (process.getuid?.() !== 0) return null
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'))
  const owner = await stat(folder).catch(() => null)
  const [name = '', , uid = '', gid = ''] =
    users.find(([, , id]) => owner && owner.uid !== 0 && Number(id) === owner.uid) ??
    users.find(([user]) => user === 'postgres') ??
    users.find(([user]) => user === 'nobody') ??
    []
  if (name === '') {
    throw new OperatorError(
      'PostgreSQL refuses to run as root, and there is no user `postgres` or `nobody`: start as an ordinary user.',
    )
  }
  const account = { uid: Number(uid), gid: Number(gid), prefix: [] }
  if ((await canEnter(dataDir, account)) && (await canEnter(dirname(binary), account))) return account
  // The account cannot enter a parent folder (for example /root), so it gets one capability of root: to read and enter
  // all folders. It can still write only to its own files.
  const prefix = [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    '--inh-caps=-all,+dac_read_search',
    '--ambient-caps=-all,+dac_read_search',
    '--bounding-set=-all,+dac_read_search',
  ]
  const [command = '', ...args] = [...prefix, binary, '--version']
  if (spawnSync(command, args, { stdio: 'ignore', env: { PATH } }).status === 0) return { ...account, prefix }
  throw new OperatorError(
    `PostgreSQL refuses to run as root, and the user ${name} may not enter ${dataDir} or ${dirname(binary)}: ` +
      'start as an ordinary user, use folders that others may pass through, or install `setpriv` (util-linux).',
  )
}

async function canEnter(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<boolean> {
  const stats = await stat(folder)
  const bit = stats.uid === uid ? 0o100 : stats.gid === gid ? 0o010 : 0o001
  if ((stats.mode & bit) === 0) return false
  return dirname(folder) === folder || canEnter(dirname(folder), { uid, gid })
}

export async function chownTo(account: SystemAccount | null, path: string): Promise<void> {
  if (account) await chown(path, account.uid, account.gid)
}

/** Changes the owner of a folder that was copied or restored as root. */
export async function chownRecursively(account: SystemAccount | null, folder: string): Promise<void> {
  if (!account || (await stat(folder)).uid === account.uid) return
  for (const entry of await readdir(folder, { recursive: true })) await chownTo(account, join(folder, entry))
  await chownTo(account, folder) // last: the owner of the folder marks that all entries are done
}

/** Starts a command whose output goes to the open file `log`. */
export function spawnAs(
  account: SystemAccount | null,
  binary: string,
  args: string[],
  log: number,
): ChildProcess {
  const [command = binary, ...rest] = [...(account?.prefix ?? []), binary, ...args]
  const identity = account && account.prefix.length === 0 ? { uid: account.uid, gid: account.gid } : {}
  return spawn(command, rest, {
    ...identity,
    cwd: '/',
    env: { PATH, LC_ALL: 'C', TZ: 'UTC' },
    // Own process group: Ctrl-C must reach only this process, which stops PostgreSQL after the last request.
    detached: true,
    stdio: ['ignore', log, log],
  })
}
