// The folder store and the bucket store behave the same, and the service works with both.
import { chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#config.ts'
import { findAssets, renditionOf } from '#features/content/assets/index.ts'
import { buildJobs } from '#jobs.ts'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { type Bucket, startBucket } from '#test/support/outside/s3.ts'
import { endlessSvg, fetchFile, solidPicture, upload } from '#test/support/pictures.ts'
import { endImageProcesses, imageProcesses } from '#test/support/processes/image-processes.ts'
import { emptyFolder } from '#test/support/processes/process.ts'
import { createStore, type Store } from './index.ts'
import { s3Store } from './s3.ts'

let bucket: Bucket
let folder: string
const stores: Record<string, Store> = {}
beforeAll(async () => {
  bucket = await startBucket()
  folder = await emptyFolder()
  stores.folder = createStore(readConfig({ SIGNOFF_DATA_DIR: folder }))
  stores.bucket = createStore(readConfig(bucket.env))
})

describe.each(['folder', 'bucket'])('a store in a %s', kind => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 256))

  it('returns the bytes that were stored', async () => {
    const store = stores[kind]!
    expect([await store.has('a/b/c-1.png'), await store.get('a/b/c-1.png')]).toEqual([false, undefined])
    await store.put('a/b/c-1.png', bytes, 'image/png')
    expect([await store.has('a/b/c-1.png'), await store.get('a/b/c-1.png')]).toEqual([true, bytes])
    await store.put('a/b/c-1.png', Buffer.from('other'), 'image/png')
    expect(String(await store.get('a/b/c-1.png'))).toBe('other')
    await store.put('empty', Buffer.alloc(0), 'image/png')
    expect(await store.get('empty')).toEqual(Buffer.alloc(0))
    await store.delete('a/b/c-1.png')
    await store.delete('a/b/c-1.png')
    expect([await store.has('a/b/c-1.png'), await store.get('a/b/c-1.png')]).toEqual([false, undefined])
  })

  it('accepts simultaneous writes, also with the same key', async () => {
    const store = stores[kind]!
    await Promise.all(Array.from({ length: 20 }, (_, i) => store.put(`many/${i % 4}`, bytes, 'image/png')))
    for (let i = 0; i < 4; i++) expect(await store.get(`many/${i}`)).toEqual(bytes)
  })
})

describe('a folder', () => {
  it('has no unfinished files, and no files that other users can read', async () => {
    await stores.folder!.put('x/y', Buffer.from('x'), 'image/png')
    expect(await readdir(join(folder, 'assets/unfinished'))).toEqual([])
    expect((await stat(join(folder, 'assets/x/y'))).mode & 0o077).toBe(0)
    expect((await stat(join(folder, 'assets'))).mode & 0o077).toBe(0)
  })

  it.skipIf(process.getuid?.() !== 0)(
    'gets the owner of the data folder when root writes to it (needs root)',
    async () => {
      const dataDir = await emptyFolder()
      await chown(dataDir, 12_345, 12_346)
      await createStore(readConfig({ SIGNOFF_DATA_DIR: dataDir })).put(
        'w/documents/f',
        Buffer.from('x'),
        'image/png',
      )
      const made = await readdir(dataDir, { recursive: true })
      expect(made.sort()).toEqual(
        ['assets', 'assets/unfinished', 'assets/w', 'assets/w/documents', 'assets/w/documents/f'].sort(),
      )
      for (const path of made)
        expect(await stat(join(dataDir, path)), path).toMatchObject({ uid: 12_345, gid: 12_346 })
    },
  )

  it('has no temporary file after a failed write', async () => {
    await mkdir(join(folder, 'assets/taken/by-a-folder'), { recursive: true })
    await writeFile(join(folder, 'assets/taken/by-a-folder/file'), 'x')
    await expect(stores.folder!.put('taken/by-a-folder', Buffer.from('x'), 'image/png')).rejects.toThrow()
    expect(await readdir(join(folder, 'assets/unfinished'))).toEqual([])
  })

  it('refuses keys that lead out of it', async () => {
    for (const key of [
      '../x',
      'a/../../x',
      '/etc/passwd',
      'a//b',
      '',
      '.',
      'a/..',
      'a\\b',
      'a\0b',
      '.hidden',
    ])
      for (const work of [
        () => stores.folder!.put(key, Buffer.from('x'), 'image/png'),
        async () => stores.folder!.get(key),
        async () => stores.folder!.delete(key),
      ])
        await expect(work(), key).rejects.toThrow('plain path')
  })
})

describe('a bucket', () => {
  const statuses = () => bucket.requests.splice(0).map(({ status }) => status)

  it('stores the content type of a file', async () => {
    await stores.bucket!.put('typed', Buffer.from('x'), 'image/gif')
    expect(bucket.objects.get('typed')?.type).toBe('image/gif')
  })

  it('gets a request at most three times when its server fails', async () => {
    statuses()
    bucket.trouble.push(503, 0)
    await stores.bucket!.put('again', Buffer.from('x'), 'image/png')
    expect(statuses()).toEqual([503, 0, 200])
    bucket.trouble.push(500, 500, 500)
    await expect(stores.bucket!.get('again')).rejects.toMatchObject({ status: 503, code: 'unavailable' })
    expect(statuses()).toEqual([500, 500, 500])
  })

  /** A store with a timeout of half a second. */
  const shortTimeoutStore = () => {
    const { s3Endpoint, s3Bucket, s3Region, s3AccessKeyId, s3SecretAccessKey } = readConfig(bucket.env)
    return s3Store({
      endpoint: s3Endpoint!,
      bucket: s3Bucket!,
      region: s3Region,
      accessKeyId: s3AccessKeyId!,
      secretAccessKey: s3SecretAccessKey!,
      timeoutMilliseconds: 500,
    })
  }
  const large = Buffer.alloc(300_000, 'x')

  it('gets the request again when it stops sending in the middle of a file', async () => {
    await stores.bucket!.put('half', large, 'image/png')
    bucket.trouble.push('half')
    expect(await shortTimeoutStore().get('half')).toEqual(large)
    bucket.trouble.push('half', 'half', 'half')
    await expect(shortTimeoutStore().get('half')).rejects.toMatchObject({ status: 503, code: 'unavailable' })
  })

  it('that stops sending makes the stream of a file fail; a slow reader does not', async () => {
    await stores.bucket!.put('half', large, 'image/png')
    bucket.trouble.push('half')
    const broken = await shortTimeoutStore().open('half')
    expect(broken!.size).toBe(large.length)
    await expect(buffer(broken!.stream)).rejects.toThrow('too long')
    const slow = await shortTimeoutStore().open('half')
    slow!.stream.once('readable', () => undefined) // starts reading
    await sleep(700)
    expect(await buffer(slow!.stream)).toEqual(large)
  })

  it('has its connection closed when the stream of a file is destroyed', async () => {
    bucket.trouble.push('half')
    const opened = await stores.bucket!.open('half')
    opened!.stream.destroy()
    await expect.poll(() => bucket.unfinished()).toBe(0)
  })

  it('gets a refused request only once', async () => {
    const wrong = { ...bucket.env, SIGNOFF_S3_SECRET_ACCESS_KEY: 'not-the-secret' }
    statuses()
    await expect(createStore(readConfig(wrong)).get('again')).rejects.toMatchObject({ code: 'unavailable' })
    expect(statuses()).toEqual([403])
    const elsewhere = { ...bucket.env, SIGNOFF_S3_REGION: 'us-east-1' }
    await expect(createStore(readConfig(elsewhere)).has('again')).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(statuses()).toEqual([403])
  })
})

describe('the service on a bucket', () => {
  let app: TestApp
  const lines: string[] = []
  beforeAll(async () => {
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    })
    app = await testApp({ env: bucket.env, log: pino({ level: 'debug' }, stream) })
    bucket.objects.clear()
  })
  const puts = () => bucket.requests.filter(({ what, status }) => what.startsWith('PUT') && status === 200)

  it('stores files there, makes each rendition once, and removes both with their asset', async () => {
    const { body, headers } = await upload(app, await solidPicture(300, 200).png().toBuffer())
    expect(bucket.objects.size).toBe(1)
    const [asset] = await findAssets(app.db, app.id, app.config.publicUrl, [body.data.id])
    const { url } = renditionOf(asset!, { width: 40, shape: 'circle' })
    bucket.requests.length = 0
    const answers = await Promise.all(Array.from({ length: 8 }, () => fetchFile(app, url)))
    expect(new Set(answers.map(answer => `${answer.status} ${answer.bytes.toString('base64')}`)).size).toBe(1)
    expect(answers[0]!.status).toBe(200)
    expect(puts()).toHaveLength(1)
    await fetchFile(app, url)
    expect(puts()).toHaveLength(1)
    expect([...bucket.objects.keys()].every(key => key.startsWith(`${app.id}/`))).toBe(true)
    expect(bucket.objects.size).toBe(2)
    await app.del(headers.location!)
    const job = buildJobs(app.parts, app.db).find(candidate => candidate.name === 'assets.remove_bytes')!
    await job.run({ workspace_id: app.id, asset_id: body.data.id })
    expect(bucket.objects.size).toBe(0)
    expect(await readdir(app.config.dataDir)).toEqual([])
  })

  const removalOf = (asset_id: string) =>
    buildJobs(app.parts, app.db)
      .find(job => job.name === 'assets.remove_bytes')!
      .run({ workspace_id: app.id, asset_id })
  const isIdle = () => app.db.pg.idleCount === app.db.pg.totalCount && app.db.pg.waitingCount === 0

  it('holds no database connection while files are removed, and makes an upload of the same file wait', async () => {
    const bytes = await solidPicture(301, 200).png().toBuffer()
    const { body, headers } = await upload(app, bytes)
    await app.del(headers.location!)
    const letGo = bucket.hold('DELETE')
    bucket.arrived.length = 0
    const removed = removalOf(body.data.id)
    await expect.poll(() => bucket.arrived).toHaveLength(1)
    await expect.poll(isIdle).toBe(true)
    await expect(removalOf(body.data.id)).rejects.toThrow('being removed; later')
    const secondUpload = upload(app, bytes)
    letGo()
    await removed
    const { status, body: added } = await secondUpload
    expect(status).toBe(201)
    expect((await fetchFile(app, added.data.url)).status).toBe(200)
    expect(bucket.arrived.map(what => what.split(' ')[0])).toEqual(['DELETE', 'HEAD', 'PUT', 'GET'])
  })

  it('answers 503 to an upload that takes longer than its lease', async () => {
    const letGo = bucket.hold('PUT')
    bucket.arrived.length = 0
    const late = upload(app, await solidPicture(302, 200).png().toBuffer())
    await expect.poll(() => bucket.arrived).toHaveLength(2)
    await app.db.query(sql`update asset_byte_leases set leased_until = now() - interval '1 second'`)
    letGo()
    const { status, body, headers } = await late
    expect([status, body.error.code, headers['retry-after']]).toEqual([503, 'unavailable', '10'])
  })

  it('loads an image for a rendition only when an image process is free', async () => {
    const { body } = await upload(app, await solidPicture(303, 200).png().toBuffer())
    const [asset] = await findAssets(app.db, app.id, app.config.publicUrl, [body.data.id])
    await endImageProcesses()
    const slow = Array.from({ length: 2 }, () => upload(app, endlessSvg, { filename: 'a.svg' }))
    await expect.poll(() => imageProcesses()).toHaveLength(2)
    bucket.arrived.length = 0
    const rendition = fetchFile(app, renditionOf(asset!, { width: 20 }).url)
    await expect.poll(() => bucket.arrived).toHaveLength(1) // the check whether the rendition exists
    await app.get('/v1/workspace')
    expect(bucket.arrived).toHaveLength(1)
    await endImageProcesses()
    expect((await rendition).status).toBe(200)
    expect((await Promise.all(slow)).map(answer => answer.status)).toEqual([503, 503])
  })

  it('answers 503 to an upload that cannot be stored', async () => {
    const before = (await app.get('/v1/assets')).body.pagination.total_count
    bucket.trouble.push(404, 503, 503, 503) // the file does not exist yet, and storing it fails
    const failed = await upload(app, await solidPicture(31, 20).png().toBuffer())
    expect([failed.status, failed.body.error.code]).toEqual([503, 'unavailable'])
    expect((await app.get('/v1/assets')).body.pagination.total_count).toBe(before)
    expect((await upload(app, await solidPicture(31, 20).png().toBuffer())).status).toBe(201)
  })

  it('logs no secrets', () => {
    const text = lines.join('')
    expect(text).toContain('503')
    for (const secret of [
      bucket.env.SIGNOFF_S3_SECRET_ACCESS_KEY!,
      'AKIDEXAMPLE',
      'AWS4-HMAC',
      'iVBOR',
      app.key,
    ])
      expect(text).not.toContain(secret)
  })
})
