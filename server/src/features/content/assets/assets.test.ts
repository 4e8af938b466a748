import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { newRow } from '#kernel/base/ids.ts'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { runJob, runScheduled, startJobs } from '#test/support/jobs.ts'
import { fetchFile, solidPicture, upload } from '#test/support/pictures.ts'
import { leaseBytes } from './bytes/leases.ts'
import { endLease } from './bytes/queries.ts'
import { findAssets, renditionOf, unknownAssets } from './index.ts'

let app: TestApp
let png: Buffer
let n = 0
/** Every call returns a different picture. */
const newPng = () =>
  solidPicture(20 + ++n, 20)
    .png()
    .toBuffer()
beforeAll(async () => {
  app = await testApp()
  png = await newPng()
})

const addReference = (assetId: string, signatureId: string | null = newRow().id, holderKind = 'signature') =>
  app.db.query(sql`
    insert into content_references (workspace_id, holder_kind, holder_id, target_kind, target_id, signature_id)
    values (${app.id}, ${holderKind}, ${newRow().id}, 'asset', ${assetId}, ${signatureId})`)
const removeReferences = (assetId: string) =>
  app.db.query(sql`delete from content_references where workspace_id = ${app.id} and target_id = ${assetId}`)

const removeBytes = (asset_id: string) => runJob(app, 'assets.remove_bytes', { asset_id })

describe('assets', () => {
  it('are created, read, renamed and deleted', async () => {
    const created = await upload(app, png, { filename: 'Logo large.png', role: 'company_logo' })
    expect(created.status).toBe(201)
    expect(created.body.data).toEqual({
      id: expect.any(String),
      name: 'Logo large',
      filename: 'Logo large.png',
      role: 'company_logo',
      content_type: 'image/png',
      byte_size: expect.any(Number),
      width: 21,
      height: 20,
      animated: false,
      url: expect.stringMatching(/^http:\/\/localhost:3000\/files\/[\w-]{22}\/[\w-]{22}\.png$/),
      in_use: false,
      signature_template_count: 0,
      created_at: expect.any(String),
      updated_at: created.body.data.created_at,
    })
    const path = created.headers.location!
    expect(path).toBe(`/v1/assets/${created.body.data.id}`)
    expect((await app.get(path)).body).toEqual(created.body)
    const renamed = await app.patch(path, { asset: { name: 'Logo', role: null } })
    expect(renamed.body.data).toEqual({
      ...created.body.data,
      name: 'Logo',
      role: null,
      updated_at: expect.any(String),
    })
    expect((await app.patch(path, { role: 'banner' })).body.data).toMatchObject({
      name: 'Logo',
      role: 'banner',
    })
    const unchanged = await app.patch(path, {})
    expect([unchanged.status, unchanged.body.data.role]).toEqual([200, 'banner'])
    expect((await app.del(path)).status).toBe(204)
    expect((await app.get(path)).status).toBe(404)
    expect((await app.patch(path, { name: 'x' })).status).toBe(404)
    expect((await app.del(path)).status).toBe(404)
  })

  it('accept the inner object without its wrapper, and null for omitted fields', async () => {
    const file_base64 = png.toString('base64')
    const flat = { file_base64, filename: 'x.png', source_url: null, name: null, role: null }
    expect((await app.post('/v1/assets', flat)).body.data).toMatchObject({ name: 'x', role: null })
  })

  it('accept base64 with line breaks, without padding, and in the URL-safe alphabet', async () => {
    const standard = png.toString('base64')
    for (const file_base64 of [
      standard.replace(/(.{76})/g, '$1\r\n'),
      standard.replace(/=+$/, ''),
      png.toString('base64url'),
    ])
      expect((await app.post('/v1/assets', { file_base64, filename: 'x.png' })).status).toBe(201)
  })

  /** Sends the literal unchanged between the quotes of the JSON string. */
  const postLiteral = (literal: string | Buffer) =>
    app.call('POST', '/v1/assets', {
      payload: Buffer.concat([
        Buffer.from('{"filename":"x.png","file_base64":"'),
        Buffer.from(literal),
        Buffer.from('"}'),
      ]),
    })

  it('accept base64 with every JSON escape', async () => {
    const text = png.toString('base64')
    expect(text).toContain('/')
    for (const literal of [
      text.replaceAll('/', '\\/'),
      text.replaceAll('A', '\\u0041'),
      text.replaceAll('=', '\\u003D'),
      `\\n${text}\\r\\n\\t`,
    ])
      expect((await postLiteral(literal)).status, literal).toBe(201)
  })

  it.each<[string, string | Buffer]>([
    ['an escape that JSON does not have', 'iVBO\\q'],
    ['an incomplete escape', 'iVBO\\u12'],
    ['an escape with characters that are not hex digits', 'iVBO\\u12fg'],
    ['an escaped closing quote', 'iVBO\\'],
    ['an escaped closing quote after a backslash', 'iVBO\\\\\\'],
    ['an unescaped line break', 'iVBO\niVBO'],
    ['NUL', 'iVBO\0'],
    ['invalid UTF-8', Buffer.from([0x69, 0x56, 0xff, 0x4f])],
    ['an incomplete UTF-8 character', Buffer.from([0x69, 0x56, 0x42, 0xc3])],
  ])('are malformed JSON with %s in the base64 string', async (_, literal) => {
    const { status, body } = await postLiteral(literal)
    expect([status, body.error.code]).toEqual([400, 'malformed_json'])
  })

  it.each([
    ['a backslash at its end', 'iVBO\\\\'],
    ['a quote', 'iVBO\\"iVBO'],
    ['a backslash and a quote', 'iVBO\\\\\\"iVBO'],
    ['letters of other scripts', 'iVBOé'],
    ['half a surrogate pair', 'iVBO\\ud800'],
  ])('are refused as valid JSON but invalid base64 with %s', async (_, literal) => {
    // A small body, and one that is too large for the service to parse itself.
    for (const text of [literal, 'iVBO'.repeat(300_000) + literal]) {
      const answer = await postLiteral(text)
      expect([answer.status, fieldErrors(answer)]).toEqual([422, { file_base64: 'invalid' }])
    }
  })

  const validInput = { filename: 'x.png' }
  it.each<[object, Record<string, string>]>([
    [{}, { asset: 'missing' }],
    [{ asset: {} }, { asset: 'missing' }],
    [{ filename: 'x.png', name: 'x' }, { asset: 'missing' }],
    [{ file_base64: 'iVBO' }, { filename: 'missing' }],
    [
      { file_base64: 'iVBO', filename: 'x.png', source_url: 'https://example.com/x.png' },
      { source_url: 'invalid' },
    ],
    [{ ...validInput, file_base64: '' }, { file_base64: 'blank' }],
    [{ ...validInput, file_base64: ' \n' }, { file_base64: 'blank' }],
    [{ ...validInput, file_base64: 'data:image/png;base64,iVBO' }, { file_base64: 'invalid' }],
    [{ ...validInput, file_base64: 'ab$d' }, { file_base64: 'invalid' }],
    [{ ...validInput, file_base64: 'a' }, { file_base64: 'invalid' }],
    [{ ...validInput, file_base64: 'ab=d' }, { file_base64: 'invalid' }],
    [{ ...validInput, file_base64: 'aGVsbG8=' }, { file_base64: 'invalid' }],
    [{ ...validInput, file_base64: 7 }, { file_base64: 'invalid_type' }],
    [{ file_base64: 'aGVsbG8=', filename: '' }, { filename: 'blank' }],
    [{ file_base64: 'aGVsbG8=', filename: '..' }, { filename: 'invalid' }],
    [{ file_base64: 'aGVsbG8=', filename: 'folder/' }, { filename: 'invalid' }],
    [{ file_base64: 'aGVsbG8=', filename: 'x'.repeat(256) }, { filename: 'too_long' }],
    [{ source_url: 'https://example.com', role: 'hero' }, { role: 'not_allowed' }],
    [{ source_url: 'https://example.com', name: ' ' }, { name: 'blank' }],
    [{ source_url: 'https://example.com', name: 'x'.repeat(201) }, { name: 'too_long' }],
    [{ source_url: `https://example.com/${'x'.repeat(2_048)}` }, { source_url: 'too_long' }],
    [{ source_url: 'https://example.com', colour: 'red' }, { colour: 'unknown_property' }],
  ])('refuse %j', async (body, expected) => {
    const answer = await app.post('/v1/assets', body)
    expect([answer.status, fieldErrors(answer)]).toEqual([422, expected])
  })

  it('name the possible sources when none is sent', async () => {
    const { body } = await app.post('/v1/assets', {})
    expect(body.details[0]).toMatchObject({ field: 'asset', missing: ['file_base64', 'source_url'] })
  })

  it.each([
    ['../../etc/passwd.png', 'passwd.png', 'passwd'],
    ['C:\\Users\\ada\\Logo.final.PNG', 'Logo.final.PNG', 'Logo.final'],
    ['.hidden', '.hidden', '.hidden'],
    ['a\u202egnp.exe', 'agnp.exe', 'agnp'],
    ['кофе ☕.png', 'кофе ☕.png', 'кофе ☕'],
    ['line\nbreak.png', 'linebreak.png', 'linebreak'],
  ])('clean the file name %j', async (filename, expectedFilename, name) => {
    expect((await upload(app, png, { filename })).body.data).toMatchObject({
      filename: expectedFilename,
      name,
    })
  })

  it('can change only their name and role', async () => {
    const { headers } = await upload(app, png)
    const path = headers.location!
    for (const field of ['file_base64', 'filename', 'source_url', 'url'])
      expect(fieldErrors(await app.patch(path, { [field]: 'x' }))).toEqual({ [field]: 'unknown_property' })
    expect(fieldErrors(await app.patch(path, { name: null }))).toEqual({ name: 'invalid_type' })
    expect(fieldErrors(await app.patch(path, { name: '' }))).toEqual({ name: 'blank' })
    expect(fieldErrors(await app.patch(path, { role: 'hero' }))).toEqual({ role: 'not_allowed' })
  })

  it('are listed newest first, and filtered by role and by text in their names', async () => {
    const workspace = await app.workspace('Lists')
    const add = async (name: string, filename: string, role: string | null) =>
      (await upload(app, png, { name, filename, role }, { key: workspace.key })).body.data.name
    await add('Spring Banner', 'spring.png', 'banner')
    await add('100%', 'logo_1.png', 'company_logo')
    await add('Ada', 'ada-BANNER.png', 'profile_picture')
    const names = async (query: string) => {
      const { body } = await app.get(`/v1/assets${query}`, { key: workspace.key })
      expect(body.pagination.total_count).toBe(body.data.length)
      return body.data.map((asset: { name: string }) => asset.name)
    }
    expect(await names('')).toEqual(['Ada', '100%', 'Spring Banner'])
    expect(await names('?role=banner')).toEqual(['Spring Banner'])
    expect(await names('?without_role=profile_picture')).toEqual(['100%', 'Spring Banner'])
    expect(await names('?search=banner')).toEqual(['Ada', 'Spring Banner'])
    expect(await names('?search=BANNER&role=profile_picture')).toEqual(['Ada'])
    expect(await names('?search=0%25')).toEqual(['100%'])
    expect(await names('?search=logo_1')).toEqual(['100%'])
    expect(await names('?search=logox1')).toEqual([])
    expect(fieldErrors(await app.get('/v1/assets?role=hero'))).toEqual({ role: 'not_allowed' })
    expect(
      (
        await app.patch(
          `/v1/assets/${(await app.get('/v1/assets?search=spring', { key: workspace.key })).body.data[0].id}`,
          { name: 'Autumn' },
          { key: workspace.key },
        )
      ).status,
    ).toBe(200)
    expect(await names('?search=autumn')).toEqual(['Autumn'])
  })

  it('are created once per Idempotency-Key', async () => {
    const bytes = await newPng()
    const headers = { 'idempotency-key': 'logo-once' }
    const [first, second] = await Promise.all([
      upload(app, bytes, {}, { headers }),
      upload(app, bytes, {}, { headers }),
    ])
    expect([first.status, second.status]).toEqual([201, 201])
    expect(first.body).toEqual(second.body)
    expect((await fetchFile(app, first.body.data.url)).status).toBe(200)
  })
})

describe('the file of an asset', () => {
  it('is public, immutable and served only as an image', async () => {
    const { body } = await upload(app, png)
    const file = await fetchFile(app, body.data.url)
    expect(file.status).toBe(200)
    expect(file.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(body.data.byte_size),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    })
    const head = await app.call('HEAD', new URL(body.data.url).pathname, { key: null })
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(head.headers).toMatchObject({
      etag: file.headers.etag,
      'content-length': String(body.data.byte_size),
    })
    const posted = await app.call('POST', new URL(body.data.url).pathname, { key: null })
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it('is not sent again to a client that has it cached', async () => {
    const { body } = await upload(app, png)
    const { headers } = await fetchFile(app, body.data.url)
    const etag = headers.etag!
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await fetchFile(app, body.data.url, { 'if-none-match': tag })
      expect([answer.status, answer.bytes.length, answer.headers.etag], tag).toEqual([304, 0, etag])
      expect(answer.headers['cache-control']).toBe(headers['cache-control'])
    }
    for (const tag of ['"x"', '', etag.slice(1)])
      expect((await fetchFile(app, body.data.url, { 'if-none-match': tag })).status, tag).toBe(200)
  })

  it('is served only at its exact address', async () => {
    const { body } = await upload(app, png)
    const otherUpload = await upload(app, png, {}, { key: app.other.key })
    const [, , workspaceToken, file = ''] = new URL(body.data.url).pathname.split('/')
    const [, , otherToken] = new URL(otherUpload.body.data.url).pathname.split('/')
    expect(otherToken).not.toBe(workspaceToken)
    for (const path of [
      `/files/${otherToken}/${file}`,
      `/files/${workspaceToken}/${file.replace('.png', '.gif')}`,
      `/files/${workspaceToken}/${file.replace('.png', '')}`,
      `/files/${workspaceToken}/${file}.png`,
      `/files/${workspaceToken}/${file.toUpperCase()}`,
      `/files/${workspaceToken}/AAAAAAAAAAAAAAAAAAAAAA.png`,
      `/files/${workspaceToken}=/${file}`,
      `/files/${app.id}/${file}`,
      `/files/x/${file}`,
      `/files/${workspaceToken}/..%2f${file}`,
      `/files/${workspaceToken}/%00`,
    ]) {
      const answer = await app.get(path, { key: null })
      expect([answer.status, answer.body.error.code], path).toEqual([404, 'not_found'])
    }
    expect((await fetchFile(app, otherUpload.body.data.url)).status).toBe(200)
  })
})

describe('the use of an asset', () => {
  it('is reported with the number of templates', async () => {
    const { body } = await upload(app, await newPng())
    const { id } = body.data
    const readUse = async () => {
      const { in_use, signature_template_count } = (await app.get(`/v1/assets/${id}`)).body.data
      return [in_use, signature_template_count]
    }
    const template = newRow().id
    await addReference(id, template)
    expect(await readUse()).toEqual([true, 1])
    await addReference(id, template, 'variant')
    await addReference(id, newRow().id)
    expect(await readUse()).toEqual([true, 2])
    expect((await app.get('/v1/assets?limit=1')).body.data[0]).toMatchObject({
      id,
      signature_template_count: 2,
    })
    expect((await app.patch(`/v1/assets/${id}`, { name: 'used' })).body.data.signature_template_count).toBe(2)
    await removeReferences(id)
    expect(await readUse()).toEqual([false, 0])
    await addReference(id, null, 'campaign')
    expect(await readUse()).toEqual([true, 0])
  })

  it('does not include other target kinds with the same id or other workspaces', async () => {
    const { body } = await upload(app, await newPng())
    const { id } = body.data
    await app.db.query(sql`
      insert into content_references (workspace_id, holder_kind, holder_id, target_kind, target_id)
      values (${app.id}, 'signature', ${newRow().id}, 'smart_field', ${id}),
        (${app.other.id}, 'signature', ${newRow().id}, 'asset', ${id})`)
    expect((await app.get(`/v1/assets/${id}`)).body.data.in_use).toBe(false)
  })

  it('keeps a deleted asset served until the last reference is removed', async () => {
    const { body } = await upload(app, await newPng())
    const { id, url } = body.data
    const box = { width: 5 }
    const [asset] = await findAssets(app.db, app.id, app.config.publicUrl, [id])
    const smallUrl = renditionOf(asset!, box).url
    await addReference(id)
    expect((await app.del(`/v1/assets/${id}`)).status).toBe(204)
    expect((await app.get('/v1/assets?limit=100')).text).not.toContain(id)
    await removeBytes(id)
    expect((await fetchFile(app, url)).status).toBe(200)
    expect((await fetchFile(app, smallUrl)).status).toBe(200)
    expect(await findAssets(app.db, app.id, app.config.publicUrl, [id])).toHaveLength(1)
    expect(await unknownAssets(app.db, app.id, [id])).toEqual([id])
    await removeReferences(id)
    expect((await fetchFile(app, url)).status).toBe(404)
    expect((await fetchFile(app, smallUrl)).status).toBe(404)
    expect(await findAssets(app.db, app.id, app.config.publicUrl, [id])).toEqual([])
    // The nightly sweep removes bytes whose last reference ended after the deletion: no job was enqueued for them.
    expect(await storedKeys(asset!.content_hash)).toHaveLength(2)
    await runScheduled(app, 'assets.sweep')
    expect(await storedKeys(asset!.content_hash)).toEqual([])
  })
})

/** The files of the store with this content hash. */
async function storedKeys(hash: string): Promise<string[]> {
  const { readdir } = await import('node:fs/promises')
  const files = await readdir(`${app.config.dataDir}/assets`, { recursive: true })
  return files.filter(file => file.includes(hash) && !file.endsWith('/'))
}

describe('the bytes of a deleted asset', () => {
  it('are removed together with their renditions by a job that the deletion enqueues', async () => {
    const { body } = await upload(app, await newPng())
    const { id, url } = body.data
    const [asset] = await findAssets(app.db, app.id, app.config.publicUrl, [id])
    expect((await fetchFile(app, renditionOf(asset!, { width: 3 }).url)).status).toBe(200)
    expect((await fetchFile(app, renditionOf(asset!, { width: 4, shape: 'circle' }).url)).status).toBe(200)
    expect(await storedKeys(asset!.content_hash)).toHaveLength(3)
    await app.del(`/v1/assets/${id}`)
    expect((await fetchFile(app, url)).status).toBe(404)
    const worker = startJobs(app, { concurrency: 2 })
    await expect.poll(() => storedKeys(asset!.content_hash)).toEqual([])
    await worker.stop(3_000)
  })

  it('stay while another asset has the same bytes', async () => {
    const bytes = await newPng()
    const [first, second] = [await upload(app, bytes), await upload(app, bytes)]
    const [asset] = await findAssets(app.db, app.id, app.config.publicUrl, [first.body.data.id])
    await app.del(first.headers.location!)
    await removeBytes(first.body.data.id)
    expect((await fetchFile(app, first.body.data.url)).status).toBe(404)
    expect((await fetchFile(app, second.body.data.url)).status).toBe(200)
    await app.del(second.headers.location!)
    await removeBytes(second.body.data.id)
    expect(await storedKeys(asset!.content_hash)).toEqual([])
    // The same picture can be uploaded again.
    const secondUpload = await upload(app, bytes)
    expect((await fetchFile(app, secondUpload.body.data.url)).status).toBe(200)
    await runScheduled(app, 'assets.sweep')
    expect((await fetchFile(app, secondUpload.body.data.url)).status).toBe(200)
  })

  it('stay for an asset of another workspace with the same bytes', async () => {
    const bytes = await newPng()
    const firstUpload = await upload(app, bytes)
    const otherUpload = await upload(app, bytes, {}, { key: app.other.key })
    await app.del(firstUpload.headers.location!)
    await removeBytes(firstUpload.body.data.id)
    expect((await fetchFile(app, otherUpload.body.data.url)).status).toBe(200)
  })

  it('exist for a client that uploads them again during the removal', async () => {
    const bytes = await newPng()
    for (let round = 0; round < 15; round++) {
      const { body, headers } = await upload(app, bytes)
      await app.del(headers.location!)
      // If the upload takes its lease first, the job fails and is retried later.
      const removalJob = removeBytes(body.data.id).catch(() => undefined)
      const [secondUpload] = await Promise.all([upload(app, bytes), removalJob])
      expect((await fetchFile(app, secondUpload.body.data.url)).status).toBe(200)
      await app.del(secondUpload.headers.location!)
      await removeBytes(secondUpload.body.data.id)
    }
  })

  it('stay while an upload of the same bytes is in progress, and are removed later', async () => {
    const { body, headers } = await upload(app, await newPng())
    const { id } = body.data
    const [{ content_hash: hash } = { content_hash: '' }] = await findAssets(app.db, app.id, '', [id])
    const lease = await leaseBytes(app.db, app.id, hash)
    await app.del(headers.location!)
    await expect(removeBytes(id)).rejects.toThrow('being written; later')
    expect(await storedKeys(hash)).toHaveLength(1)
    await endLease(app.db, app.id, hash, lease)
    await removeBytes(id)
    expect(await storedKeys(hash)).toEqual([])
  })

  it('of an abandoned upload are removed by the sweep, unless an asset has them', async () => {
    const abandonedHash = 'ab'.repeat(32)
    await leaseBytes(app.db, app.id, abandonedHash)
    await app.store.put(`${app.id}/ab/${abandonedHash}`, png, 'image/png')
    const { id, url } = (await upload(app, await newPng())).body.data
    const [{ content_hash: usedHash } = { content_hash: '' }] = await findAssets(app.db, app.id, '', [id])
    await leaseBytes(app.db, app.id, usedHash)
    await runScheduled(app, 'assets.sweep')
    expect(await storedKeys(abandonedHash)).toHaveLength(1)
    await app.db.query(sql`update asset_byte_leases set leased_until = now() - interval '1 second'`)
    await runScheduled(app, 'assets.sweep')
    expect(await storedKeys(abandonedHash)).toEqual([])
    expect((await fetchFile(app, url)).status).toBe(200)
    expect(await app.db.query(sql`select from asset_byte_leases`)).toEqual([])
  })

  it('stay while a backup is being written', async () => {
    const { body, headers } = await upload(app, await newPng())
    const client = await app.db.pg.connect()
    const { pauseRemovals } = await import('./index.ts')
    await client.query(pauseRemovals)
    await app.del(headers.location!)
    await expect(removeBytes(body.data.id)).rejects.toThrow('backup')
    client.release(true)
    await expect
      .poll(() =>
        removeBytes(body.data.id).then(
          () => 'done',
          () => 'refused',
        ),
      )
      .toBe('done')
    const [row] = await app.db.query(sql`select bytes_removed_at from assets where id = ${body.data.id}`)
    expect(row!.bytes_removed_at).not.toBeNull()
  })
})

describe('references', () => {
  it('to ids that are not assets of the workspace are detected', async () => {
    const assetId = (await upload(app, png)).body.data.id
    const otherAssetId = (await upload(app, png, {}, { key: app.other.key })).body.data.id
    const missingId = newRow().id
    expect(
      await unknownAssets(app.db, app.id, [assetId, otherAssetId, missingId, assetId.toUpperCase()]),
    ).toEqual([otherAssetId, missingId])
    expect(await unknownAssets(app.db, app.id, [])).toEqual([])
    expect(await findAssets(app.db, app.id, '', [assetId, otherAssetId, missingId])).toHaveLength(1)
  })

  it('lock an asset against deletion until they are written', async () => {
    const { body, headers } = await upload(app, await newPng())
    let deletion: Promise<unknown> | undefined
    await app.db.transaction(async tx => {
      expect(await unknownAssets(tx, app.id, [body.data.id])).toEqual([])
      deletion = app.del(headers.location!)
      expect(await Promise.race([deletion, sleep(200, 'waits')])).toBe('waits')
      await tx.query(sql`
        insert into content_references (workspace_id, holder_kind, holder_id, target_kind, target_id)
        values (${app.id}, 'signature', ${newRow().id}, 'asset', ${body.data.id})`)
    })
    await deletion
    await removeBytes(body.data.id)
    expect((await fetchFile(app, body.data.url)).status).toBe(200)
  })
})
