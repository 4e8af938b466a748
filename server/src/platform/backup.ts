// One file with everything: PostgreSQL's own online base backup (its files, copied between pg_backup_start and
// pg_backup_stop, and the log of what changed meanwhile), and all else in the data folder.
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type ExtractEvents, extract, type Pack, pack } from 'tar-stream'
import type { Pool, Sql } from '#kernel/db.ts'
import { isSystemError, OperatorError } from '#kernel/errors.ts'

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

/** Folders whose contents a base backup leaves out; the server makes them anew. */
const emptied = [
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
  dataDir: given,
  folder,
  file,
  pauseRemovals,
  interrupted,
}: BackupOptions): Promise<number> {
  const dataDir = await realpath(given)
  const target = resolve(file)
  if (!relative(dataDir, target).startsWith('..'))
    throw new OperatorError('Write the backup outside the data folder.')
  await mkdir(dirname(target), { recursive: true })
  const partial = `${target}.part-${process.pid}`
  const tar = pack()
  interrupted?.addEventListener('abort', () => tar.destroy(interrupted.reason))
  const written = pipeline(tar, createGzip({ level: 6 }), createWriteStream(partial, { mode: 0o600 }))
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
  const client = await db.pg.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(pauseRemovals)
    // Keeps the server from recycling the part of the log that the copy will need.
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
    // Of the log only what the copy needs: from where it began to where it ended.
    const first = /\(file (\w+)\)/.exec(labelfile)?.[1] ?? ''
    await addFolder(tar, dataDir, join(folder, 'pg_wal'), path => {
      const name = basename(path)
      return /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last
    })
    // After the database: a file that a row speaks of was there before the row.
    const ownFiles = (path: string) =>
      !path.startsWith(folder) && !/^(run|cache|postgres\.|assets\/unfinished)/.test(relative(dataDir, path))
    await addFolder(tar, dataDir, dataDir, ownFiles)
    tar.finalize()
  } finally {
    client.release(true) // ends the session and with it the slot
  }
}

const isLeftOut = (path: string): boolean =>
  leftOut.test(basename(path)) || emptied.some(name => path.startsWith(name + sep))

async function addFolder(
  tar: Pack,
  root: string,
  folder: string,
  wanted: (path: string) => boolean,
): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(gone)) {
    const path = join(folder, entry.name)
    if (!wanted(path)) continue
    if (entry.isDirectory()) {
      await addEntry(tar, { name: relative(root, path), type: 'directory', mode: 0o700 })
      await addFolder(tar, root, path, wanted)
    } else if (entry.isFile()) {
      await addFile(tar, relative(root, path), path)
    }
  }
}

/** Files come and go while the server works; what vanished is in its log. */
const gone = (error: { code?: string }): never[] => {
  if (error.code === 'ENOENT') return []
  throw error
}

async function addFile(tar: Pack, name: string, path: string): Promise<void> {
  const [handle] = await open(path, 'r').then(
    found => [found],
    error => gone(error),
  )
  if (!handle) return
  try {
    const { size } = await handle.stat()
    const entry = tar.entry({ name, size, mode: 0o600 })
    await pipeline(Readable.from(exactly(handle, size)), entry)
  } finally {
    await handle.close()
  }
}

/** A file may grow or shrink while it is copied: just the bytes that were announced, with zeros for what is gone. */
async function* exactly(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
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
 * Unpacked aside, in the data folder itself; what makes it a data folder, `postgres`, is moved to its place last. Answers how to
 * undo it all, for the case that the database does not open.
 */
export async function restore({ file, dataDir }: RestoreOptions): Promise<() => Promise<void>> {
  const { isFile } = await stat(file).then(
    found => ({ isFile: found.isFile() }),
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
    if (isNew) await rmdir(dataDir).catch(() => undefined) // not if it is in use by now
  }
  const aside = join(dataDir, `.restoring-${process.pid}`)
  try {
    await mkdir(aside, { mode: 0o700 })
    await unpack(file, aside)
    await stat(join(aside, 'postgres', 'backup_label')).catch(() => {
      throw new OperatorError(`${file} is not a backup made by \`signoff backup\`.`)
    })
    const others = (await readdir(aside)).filter(name => name !== 'postgres')
    for (const name of [...others, 'postgres']) await rename(join(aside, name), join(dataDir, name))
    await rmdir(aside)
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
  // Both have ended before anything is cleared away.
  const failed = (await Promise.allSettled([writing, reading])).find(result => result.status === 'rejected')
  if (!failed) return
  const error: unknown = failed.reason
  if (error instanceof OperatorError) throw error
  const why = error instanceof Error ? error.message : error
  throw new OperatorError(
    isSystemError(error) ? `${file} cannot be restored: ${why}.` : `${file} is damaged: ${why}.`,
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
