// Writes everything into one file: an online base backup of PostgreSQL (its files, copied between pg_backup_start and
// pg_backup_stop, and the WAL written meanwhile), and the other files of the data folder.
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type ExtractEvents, extract, type Pack, pack } from 'tar-stream'
import { isSystemError, OperatorError } from '#kernel/base/errors.ts'
import type { Pool, Sql } from '#kernel/db/db.ts'

export interface BackupOptions {
  readonly db: Pool
  readonly dataDir: string
  /** PostgreSQL's part of the data folder. */
  readonly folder: string
  readonly file: string
  /** Run first: until the connection closes, no stored file is removed. */
  readonly pauseRemovals: Sql
  readonly interrupted?: AbortSignal
}

/** Folders whose contents are left out of a base backup; PostgreSQL creates them again. */
const emptiedFolders = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]
const leftOut = /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|backup_label|tablespace_map)$/

export async function backup({
  db,
  dataDir: dataDirOption,
  folder,
  file,
  pauseRemovals,
  interrupted,
}: BackupOptions): Promise<number> {
  const dataDir = await realpath(dataDirOption)
  const target = resolve(file)
  if (!relative(dataDir, target).startsWith('..'))
    throw new OperatorError('Write the backup outside the data folder.')
  await mkdir(dirname(target), { recursive: true })
  const partial = `${target}.part-${process.pid}`
  const tar = pack()
  interrupted?.addEventListener('abort', () => tar.destroy(interrupted.reason))
  // Level 6 would make the file of a new installation 10 % smaller, for twice the CPU time beside a running service.
  const gzip = createGzip({ level: 3 })
  const written = pipeline(tar, gzip, createWriteStream(partial, { mode: 0o600 }))
  try {
    await Promise.all([written, addAll(tar, { db, dataDir, folder, pauseRemovals })])
    await rename(partial, target)
    return (await stat(target)).size
  } catch (error) {
    tar.destroy()
    await rm(partial, { force: true })
    throw error
  }
}

type BackupSource = Pick<BackupOptions, 'db' | 'dataDir' | 'folder' | 'pauseRemovals'>

async function addAll(tar: Pack, { db, dataDir, folder, pauseRemovals }: BackupSource): Promise<void> {
  const client = await db.direct.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(pauseRemovals)
    // The replication slot keeps PostgreSQL from recycling the WAL files that the backup needs.
    await client.query(
      `select pg_create_physical_replication_slot('signoff_backup_${process.pid}', true, true)`,
    )
    await client.query(`select pg_backup_start('signoff', fast => true)`)
    await addFolder(tar, dataDir, folder, path => !isLeftOut(relative(folder, path)))
    const { rows } = await client.query(
      'select labelfile, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)',
    )
    const { labelfile, last } = rows[0]
    await addText(tar, relative(dataDir, join(folder, 'backup_label')), labelfile)
    // Only the WAL files that the backup needs: from its start to its end.
    const first = /\(file (\w+)\)/.exec(labelfile)?.[1] ?? ''
    await addFolder(tar, dataDir, join(folder, 'pg_wal'), path => {
      const name = basename(path)
      return /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last
    })
    // After the database: an asset's file is written before its row, so every row in the backup has its file.
    const ownFiles = (path: string) =>
      !path.startsWith(folder) && !/^(run|cache|postgres\.|assets\/unfinished)/.test(relative(dataDir, path))
    await addFolder(tar, dataDir, dataDir, ownFiles)
    tar.finalize()
  } finally {
    client.release(true) // ends the session, which drops the temporary slot
  }
}

const isLeftOut = (path: string): boolean =>
  leftOut.test(basename(path)) || emptiedFolders.some(name => path.startsWith(name + sep))

async function addFolder(
  tar: Pack,
  root: string,
  folder: string,
  isIncluded: (path: string) => boolean,
): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(emptyIfMissing)) {
    const path = join(folder, entry.name)
    if (!isIncluded(path)) continue
    if (entry.isDirectory()) {
      await addEntry(tar, { name: relative(root, path), type: 'directory', mode: 0o700 })
      await addFolder(tar, root, path, isIncluded)
    } else if (entry.isFile()) {
      await addFile(tar, relative(root, path), path)
    }
  }
}

/** PostgreSQL creates and deletes files while it runs. A file that vanished during the backup is covered by the WAL. */
const emptyIfMissing = (error: { code?: string }): never[] => {
  if (error.code === 'ENOENT') return []
  throw error
}

async function addFile(tar: Pack, name: string, path: string): Promise<void> {
  const [handle] = await open(path, 'r').then(
    opened => [opened],
    error => emptyIfMissing(error),
  )
  if (!handle) return
  try {
    const { size } = await handle.stat()
    const entry = tar.entry({ name, size, mode: 0o600 })
    await pipeline(Readable.from(readExactly(handle, size)), entry)
  } finally {
    await handle.close()
  }
}

/**
 * Reads exactly the size that the tar header announced, even if the file grows or shrinks meanwhile. Missing bytes are
 * filled with zeros.
 */
async function* readExactly(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const length = Math.min(1 << 20, size - at)
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at)
    yield bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead)
    at += bytesRead === 0 ? length : bytesRead
  }
}

const addEntry = (tar: Pack, header: { name: string; type: 'directory'; mode: number }): Promise<void> =>
  new Promise((done, failed) => void tar.entry(header, error => (error ? failed(error) : done())))

const addText = (tar: Pack, name: string, text: string): Promise<void> =>
  new Promise((done, failed) =>
    tar.entry({ name, mode: 0o600 }, text, error => (error ? failed(error) : done())),
  )

export interface RestoreOptions {
  readonly file: string
  readonly dataDir: string
}

/**
 * Unpacks into a temporary folder inside the data folder, then moves the parts to their places. `postgres`, which makes
 * it a data folder, is moved last. Returns a function that undoes everything, for the case that the database does not
 * open.
 */
export async function restore({ file, dataDir }: RestoreOptions): Promise<() => Promise<void>> {
  const { isFile } = await stat(file).then(
    stats => ({ isFile: stats.isFile() }),
    () => {
      throw new OperatorError(`There is no file ${file}.`)
    },
  )
  if (!isFile)
    throw new OperatorError(`${file} is not a backup made by \`signoff backup\`: it is not a file.`)
  const isNew =
    (await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })) !== undefined
  if ((await readdir(dataDir)).length > 0) {
    throw new OperatorError(
      `${dataDir} is not empty: move it away first, or set SIGNOFF_DATA_DIR to a new folder.`,
    )
  }
  const undo = async (): Promise<void> => {
    for (const name of await readdir(dataDir)) await rm(join(dataDir, name), { recursive: true, force: true })
    if (isNew) await rmdir(dataDir).catch(() => undefined) // fails if another process uses the folder by now
  }
  const staging = join(dataDir, `.restoring-${process.pid}`)
  try {
    await mkdir(staging, { mode: 0o700 })
    await unpack(file, staging)
    await stat(join(staging, 'postgres', 'backup_label')).catch(() => {
      throw new OperatorError(`${file} is not a backup made by \`signoff backup\`.`)
    })
    const others = (await readdir(staging)).filter(name => name !== 'postgres')
    for (const name of [...others, 'postgres']) await rename(join(staging, name), join(dataDir, name))
    await rmdir(staging)
    return undo
  } catch (error) {
    await undo()
    throw error
  }
}

async function unpack(file: string, folder: string): Promise<void> {
  const entries = extract()
  const reading = pipeline(createReadStream(file), createGunzip(), entries)
  const writing = (async () => {
    for await (const entry of entries) await unpackEntry(entry, file, folder)
  })()
  // Waits for both, because the caller deletes the folder after a failure.
  const failure = (await Promise.allSettled([writing, reading])).find(result => result.status === 'rejected')
  if (!failure) return
  const error: unknown = failure.reason
  if (error instanceof OperatorError) throw error
  const reason = error instanceof Error ? error.message : error
  throw new OperatorError(
    isSystemError(error) ? `${file} cannot be restored: ${reason}.` : `${file} is damaged: ${reason}.`,
  )
}

type Entry = ExtractEvents['entry'][1]

async function unpackEntry(entry: Entry, file: string, folder: string): Promise<void> {
  const { name, type } = entry.header
  const path = join(folder, name)
  if (relative(folder, path).startsWith('..'))
    throw new OperatorError(`${file} holds a path outside of itself.`)
  if (type === 'directory') {
    await mkdir(path, { recursive: true, mode: 0o700 })
    entry.resume()
  } else if (type === 'file') {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await pipeline(entry, createWriteStream(path, { mode: 0o600 }))
  } else throw new OperatorError(`${file} is not a backup made by \`signoff backup\`: it holds a ${type}.`)
}
