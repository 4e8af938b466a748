import { createWriteStream } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { command } from '#test/support/command.ts'
import { solidPicture } from '#test/support/pictures.ts'
import {
  canUseOrdinaryUid,
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
} from '#test/support/processes/process.ts'

interface Page {
  readonly pagination: { readonly has_more: boolean }
}

const call = (served: Served, key: string, path: string, body?: object) =>
  fetch(`${served.url}${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })

async function allPages(served: Served, key: string, path: string): Promise<string[]> {
  const texts: string[] = []
  for (let page = 1; ; page++) {
    const text = await (await call(served, key, `${path}?limit=100&page=${page}`)).text()
    texts.push(text)
    if (!(JSON.parse(text) as Page).pagination.has_more) return texts
  }
}
/** Each asset's file, as a mail client loads it. */
async function filesOf(served: Served, key: string): Promise<string[]> {
  const { data } = (await (await call(served, key, '/v1/assets')).json()) as { data: { url: string }[] }
  return Promise.all(
    data.map(async ({ url }) => {
      const answer = await fetch(`${served.url}${new URL(url).pathname}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
      return Buffer.from(await answer.arrayBuffer()).toString('base64')
    }),
  )
}
/** A record of each kind, and enough people for two pages. */
async function fill(served: Served, key: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const { status } = await call(served, key, path, body)
    expect(status, path).toBeLessThan(300)
  }
  for (const name of ['Sales', 'Support']) await post('/v1/folders', { name })
  for (const colour of ['red', 'green', 'blue', 'white']) {
    const file = await solidPicture(9, 9, colour).png().toBuffer()
    const asset = { file_base64: file.toString('base64'), filename: `${colour}.png` }
    await post('/v1/assets', { asset })
  }
  const teammates = Array.from({ length: 120 }, (_, n) => ({ email: `person-${n}@example.com` }))
  await post('/v1/teammates/import', { teammates })
  await post('/v1/smart_fields', { smart_field: { label: 'Desk' } })
}

const lists = [
  '/v1/folders',
  '/v1/assets',
  '/v1/teammates',
  '/v1/emails',
  '/v1/smart_fields',
  '/v1/audit_log',
]

async function writeArchive(
  file: string,
  entries: readonly (Pick<Header, 'name'> & Partial<Header> & { readonly text?: string })[],
): Promise<void> {
  const tar = pack()
  for (const { text = '', ...header } of entries) tar.entry(header, text)
  tar.finalize()
  await pipeline(tar, createGzip(), createWriteStream(file))
}

describe('backup and restore', () => {
  it('restore exactly the data that was backed up', async () => {
    const env = { SIGNOFF_DATA_DIR: await migratedFolder() }
    const served = await serve({ env })
    const key = served.key!
    await fill(served, key)
    await mkdir(join(env.SIGNOFF_DATA_DIR, 'cache/chromium'), { recursive: true })
    const pictures = await filesOf(served, key)
    expect(pictures).toHaveLength(4)
    const before = await Promise.all(lists.map(path => allPages(served, key, path)))
    const file = join(await emptyFolder(), 'sub/backup.tar.gz')
    const backup = await signoff(['backup', file], { env })
    expect([backup.code, backup.err]).toEqual([0, ''])
    expect(backup.out).toMatch(/^Wrote .*backup\.tar\.gz \([\d.]+ MB\)\.\n$/)
    expect((await stat(file)).mode & 0o077).toBe(0)
    expect(await readdir(join(file, '..'))).toEqual(['backup.tar.gz'])
    // Written after the backup, so it must not be restored.
    await call(served, key, '/v1/folders', { name: 'Too late' })
    expect(await stop(served)).toBe(0)

    const otherEnv = { SIGNOFF_DATA_DIR: join(await emptyFolder(), 'restored') }
    const restored = await command(['restore', file], otherEnv)
    expect([restored.code, restored.err]).toEqual([0, ''])
    expect(await readdir(otherEnv.SIGNOFF_DATA_DIR)).not.toContain('cache') // created again when needed
    const restoredServer = await serve({ env: otherEnv })
    expect(restoredServer.key).toBeUndefined()
    const after = await Promise.all(lists.map(path => allPages(restoredServer, key, path)))
    expect(after).toEqual(before)
    expect(await filesOf(restoredServer, key)).toEqual(pictures)
    expect((await call(restoredServer, key, '/v1/folders', { name: 'And it goes on' })).status).toBe(201)
    expect(await stop(restoredServer)).toBe(0)
  })

  it('are consistent while the service writes', { tags: ['deep'] }, async () => {
    const env = { SIGNOFF_DATA_DIR: await migratedFolder() }
    const served = await serve({ env })
    const key = served.key!
    let written = 0
    let writing = true
    const writer = (async () => {
      while (writing) {
        if ((await call(served, key, '/v1/folders', { name: String(written) })).status === 201) written++
        await sleep(10) // leaves the machine time for the backup
      }
    })()
    await expect.poll(() => written).toBeGreaterThan(20)
    const atLeast = written
    const file = join(await emptyFolder(), 'busy.tar.gz')
    expect((await command(['backup', file], env)).code).toBe(0)
    const atMost = written + 1
    await expect.poll(() => written).toBeGreaterThan(atMost + 5)
    writing = false
    await writer
    await stop(served)

    const otherEnv = { SIGNOFF_DATA_DIR: await emptyFolder() }
    expect((await command(['restore', file], otherEnv)).code).toBe(0)
    const folders = await queryStopped<{ name: string }>(
      otherEnv.SIGNOFF_DATA_DIR,
      'select name from folders order by created_at, id',
    )
    const names = folders.map(({ name }) => Number(name))
    // There is one writer, so the backup must contain all folders up to some moment, without a gap.
    expect(names).toEqual(names.map((_, index) => index))
    expect(names.length).toBeGreaterThanOrEqual(atLeast)
    expect(names.length).toBeLessThanOrEqual(atMost)
  })
})

describe('backup and restore of a service that does not run', () => {
  let env: { SIGNOFF_DATA_DIR: string }
  let archive: string
  beforeAll(async () => {
    env = { SIGNOFF_DATA_DIR: await migratedFolder() }
    archive = join(await emptyFolder(), 'a.tar.gz')
    await command(['workspaces', 'create', 'W', '--owner-email', 'a@b.example'], env)
    expect((await command(['backup', archive], env)).code).toBe(0)
  })

  it('leave no file when the backup is interrupted', async () => {
    const folder = await emptyFolder()
    const running = run(['backup', join(folder, 'a.tar.gz')], { env })
    while ((await readdir(folder)).length === 0 && running.child.exitCode === null) await sleep(5)
    running.child.kill('SIGINT')
    const code = await running.ended
    expect(await readdir(folder)).toEqual(code === 0 ? ['a.tar.gz'] : [])
    await expect(readFile(join(env.SIGNOFF_DATA_DIR, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
  })

  it.runIf(canUseOrdinaryUid)('restore into a folder whose parent belongs to somebody else', async () => {
    const dataDir = await emptyFolder()
    const file = join(dataDir, '..', 'for-nobody.tar.gz')
    await copyFile(archive, file)
    await chmod(file, 0o644)
    await giveFolderTo(dataDir, ordinaryUid)
    const other = { SIGNOFF_DATA_DIR: dataDir }
    const restored = await signoff(['restore', file], { env: other, uid: ordinaryUid })
    expect([restored.code, restored.err]).toEqual([0, ''])
    expect((await signoff(['workspaces', 'list'], { env: other, uid: ordinaryUid })).out).toContain('W')
  })

  it('refuse harmful targets and damaged files, and leave no files behind', async () => {
    const folder = await emptyFolder()
    const file = join(folder, 'a.tar.gz')
    await copyFile(archive, file)
    const refused = async (args: string[], message: string, into = env) => {
      const { code, err } = await command(args, into)
      expect([code, err.trim().split('\n')]).toEqual([1, [expect.stringContaining(message)]])
    }
    await Promise.all([
      refused(['backup', join(env.SIGNOFF_DATA_DIR, 'x.tar.gz')], 'outside the data folder'),
      refused(['restore', file], 'is not empty'),
    ])
    await writeFile(join(folder, 'text.tar.gz'), 'not an archive at all')
    await truncate(file, Math.floor((await stat(file)).size / 2))
    const mounted = { SIGNOFF_DATA_DIR: await emptyFolder() }
    const fresh = (name: string) => ({ SIGNOFF_DATA_DIR: join(folder, name, 'data') })
    await Promise.all([
      refused(['restore', join(folder, 'none.tar.gz')], 'There is no file', fresh('one')),
      refused(['restore', join(folder, 'text.tar.gz')], 'is damaged', fresh('two')),
      refused(['restore', file], 'is damaged', fresh('three')),
      refused(['restore', file], 'is damaged', mounted),
    ])
    for (const name of ['one', 'two', 'three'])
      await expect(readdir(fresh(name).SIGNOFF_DATA_DIR)).rejects.toThrow('ENOENT')
    expect(await readdir(mounted.SIGNOFF_DATA_DIR)).toEqual([])
  })

  it('refuse archives that `signoff backup` did not make, and leave no files behind', async () => {
    const folder = await emptyFolder()
    const refused = async (args: string[], message: string) => {
      const { code, err } = await command(args, empty)
      expect([code, err.trim().split('\n')]).toEqual([1, [expect.stringContaining(message)]])
      await expect(readdir(empty.SIGNOFF_DATA_DIR)).rejects.toThrow('ENOENT')
    }
    const empty = { SIGNOFF_DATA_DIR: join(folder, 'fresh/data') }
    const broken = join(folder, 'broken.tar.gz')
    await writeArchive(broken, [
      {
        name: 'postgres/backup_label',
        text: 'START WAL LOCATION: 0/2000028 (file 000000010000000000000002)',
      },
      { name: 'postgres/PG_VERSION', text: '18\n' },
      { name: 'postgres/signoff.password', text: 'x' },
    ])
    await refused(['restore', broken], 'nothing was restored')
    const linked = join(folder, 'linked.tar.gz')
    await writeArchive(linked, [{ name: 'postgres', type: 'symlink', linkname: '/etc' }])
    await refused(['restore', linked], 'it holds a symlink')
    await writeArchive(linked, [{ name: '../outside', text: 'x' }])
    await refused(['restore', linked], 'outside of itself')
    await refused(['restore', folder], 'it is not a file')
    const unwritable = join(folder, 'unwritable.tar.gz')
    await writeArchive(unwritable, [{ name: 'x'.repeat(300), text: 'x' }])
    await refused(['restore', unwritable], 'cannot be restored: ENAMETOOLONG')
    const onServer = await command(['backup', join(folder, 'a.tar.gz')], {
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
    })
    expect(onServer.code).toBe(1)
  })
})
