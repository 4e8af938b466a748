// Pictures of imported teammates, which the worker fetches in the background.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import type { PublicAnswer } from '#platform/public-fetch.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs, startJobs } from '#test/support/jobs.ts'
import { solidPicture, upload } from '#test/support/pictures.ts'
import { fieldIds, setValues, unknownId } from '#test/support/world.ts'

let answerOf: (url: string) => Promise<PublicAnswer>
const requests: string[] = []

let app: TestApp
let field: string
beforeAll(async () => {
  app = await testApp({
    fetchPublic(url) {
      requests.push(url)
      return answerOf(url)
    },
  })
  field = (await fieldIds(app)).profile_picture
})

let n = 0
const newPicture = () =>
  solidPicture(50 + ++n, 60)
    .png()
    .toBuffer()
type Found = Extract<PublicAnswer, { readonly ok: true }>
const answerWithPicture = async (url: string): Promise<Found> => ({
  ok: true,
  status: 200,
  url,
  bytes: await newPicture(),
  retryAfter: undefined,
})
const status = async (url: string, code: number): Promise<Found> => ({
  ...(await answerWithPicture(url)),
  status: code,
})

beforeEach(async () => {
  answerOf = answerWithPicture
  requests.length = 0
  await app.db.query(sql`delete from picture_fetches`)
})

const importRow = (email: string, value: string | null) =>
  app.post('/v1/teammates/import', {
    teammates: [{ email, smart_fields: [{ smart_field_id: field, value }] }],
  })
const address = () => `imported${++n}@example.com`
const teammateOf = async (email: string) => {
  const { id, smart_fields } = (await app.get(`/v1/teammates?search=${email}`)).body.data[0]
  const item = smart_fields.find(
    (candidate: { smart_field_id: string }) => candidate.smart_field_id === field,
  )
  return { id, assetId: item.asset_id as string | null }
}
const fetches = async (query = '') => (await app.get(`/v1/teammates/picture_fetches${query}`)).body.data
const makeDue = () => app.db.query(sql`update picture_fetches set due_at = now()`)
/** Runs the job as if its pause had passed too. */
const runDue = async () => {
  await makeDue()
  await app.db.query(sql`update graphile_worker._private_jobs set run_at = now()`)
  await runAllJobs(app)
}

describe('pictures of an import', () => {
  it('are fetched in the background, and listed until they are there', async () => {
    const emails = Array.from({ length: 50 }, address)
    const teammates = emails.map(email => ({
      email,
      smart_fields: [{ smart_field: 'profile_picture', value: `https://photos.example.com/${email}.png` }],
    }))
    const answer = await app.post('/v1/teammates/import', { teammates })
    expect(answer.body).toEqual({ data: { created: 50, updated: 0, failed: [] } })
    expect(requests).toEqual([])
    const waiting = await fetches('?status=pending&limit=100')
    expect(waiting).toHaveLength(50)
    expect(waiting.at(-1)).toEqual({
      id: expect.any(String),
      teammate_id: (await teammateOf(emails[0]!)).id,
      email: emails[0],
      smart_field_id: field,
      url: `https://photos.example.com/${emails[0]}.png`,
      status: 'pending',
      code: null,
      message: null,
      attempts: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    await runAllJobs(app)
    expect(await fetches()).toEqual([])
    expect(new Set(requests).size).toBe(50)
    const { assetId, id } = await teammateOf(emails[0]!)
    const asset = (await app.get(`/v1/assets/${assetId}`)).body.data
    expect(asset).toMatchObject({ role: 'profile_picture', filename: `${emails[0]}.png` })
    const log = (await app.get(`/v1/audit_log?resource_id=${id}`)).body.data
    expect(log[0]).toMatchObject({ action: 'teammate.updated', member_name: 'Owner' })
  })

  it('named by assets are set at once; a row with an unknown asset fails alone', async () => {
    const [good, bad] = [address(), address()]
    const asset = (await upload(app, await newPicture())).body.data
    const teammates = [
      { email: good, smart_fields: [{ smart_field_id: field, value: asset.id }] },
      { email: bad, smart_fields: [{ smart_field_id: field, value: unknownId }] },
    ]
    const { body } = await app.post('/v1/teammates/import', { teammates })
    expect(body.data).toMatchObject({ created: 1, failed: [{ index: 1, email: bad }] })
    expect(body.data.failed[0].details).toEqual([
      expect.objectContaining({ field: 'smart_fields[0].value', code: 'unknown_reference' }),
    ])
    expect((await teammateOf(good)).assetId).toBe(asset.id)
  })

  it.each<[string, (url: string) => Promise<PublicAnswer>, string, RegExp]>([
    ['a missing file', url => status(url, 404), 'invalid', /status 404/],
    [
      'a page',
      async url => ({ ...(await answerWithPicture(url)), bytes: Buffer.from('<html>') }),
      'invalid',
      /not a PNG/,
    ],
    ['a private address', async () => ({ ok: false, problem: 'is not public' }), 'invalid', /is not public/],
    [
      'a large file',
      async () => ({ ok: false, problem: 'is large', tooLarge: true }),
      'out_of_range',
      /is large/,
    ],
  ])('fail for good with %s, and the failure is listed', async (_, answer, code, message) => {
    answerOf = answer
    const email = address()
    await importRow(email, 'https://photos.example.com/bad.png')
    await runAllJobs(app)
    expect(await fetches('?status=failed')).toEqual([
      expect.objectContaining({
        email,
        status: 'failed',
        code,
        message: expect.stringMatching(message),
        attempts: 1,
      }),
    ])
    await runDue()
    expect(requests).toHaveLength(1)
    expect(await fetches('?status=pending')).toEqual([])
  })

  it('are tried again when the host does not answer, and fail after six attempts', async () => {
    const [slow, dead] = [address(), address()]
    answerOf = async () => ({ ok: false, problem: 'cannot be reached', isTemporary: true })
    await importRow(slow, 'https://photos.example.com/slow.png')
    await runAllJobs(app)
    expect(await fetches()).toEqual([
      expect.objectContaining({ status: 'pending', code: 'unreachable', attempts: 1 }),
    ])
    answerOf = answerWithPicture
    await runDue()
    expect(await fetches()).toEqual([])
    expect((await teammateOf(slow)).assetId).not.toBeNull()

    answerOf = url => status(url, 503)
    await importRow(dead, 'https://photos.example.com/dead.png')
    await runAllJobs(app)
    for (let attempt = 2; attempt <= 6; attempt++) {
      expect(await fetches('?status=pending')).toHaveLength(1)
      await runDue()
    }
    expect(await fetches()).toEqual([
      expect.objectContaining({ email: dead, status: 'failed', code: 'unreachable', attempts: 6 }),
    ])
  })

  it('fail when the process ended during the last attempt', async () => {
    const email = address()
    await importRow(email, 'https://photos.example.com/deadly.png')
    await app.db.query(sql`update picture_fetches set attempts = 6`)
    await runDue()
    expect(requests).toEqual([])
    expect(await fetches()).toEqual([
      expect.objectContaining({ email, status: 'failed', code: 'unavailable', attempts: 6 }),
    ])
  })

  it('wait longer from attempt to attempt', async () => {
    answerOf = url => status(url, 429)
    await importRow(address(), 'https://photos.example.com/busy.png')
    await runAllJobs(app)
    const pause = async () => {
      const [row] = await app.db.query<{ seconds: number }>(
        sql`select extract(epoch from due_at - updated_at)::int as seconds from picture_fetches`,
      )
      return row?.seconds ?? 0
    }
    const first = await pause()
    await runDue()
    expect(first).toBeGreaterThanOrEqual(29)
    expect(await pause()).toBeGreaterThan(first * 3)
  })

  it('are superseded by a later value, also while they are being fetched', async () => {
    const email = address()
    const asset = (await upload(app, await newPicture())).body.data
    await importRow(email, 'https://photos.example.com/old.png')
    const { id } = await teammateOf(email)
    const asked = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    answerOf = async url => {
      asked.resolve()
      await gate.promise
      return answerWithPicture(url)
    }
    const run = runAllJobs(app)
    await asked.promise
    await setValues(app, id, { [field]: asset.id })
    gate.resolve()
    await run
    expect((await teammateOf(email)).assetId).toBe(asset.id)
    for (const value of [null, asset.id]) {
      await importRow(email, 'https://photos.example.com/old.png')
      await setValues(app, id, { [field]: value })
      expect(await fetches()).toEqual([])
    }
    await importRow(email, 'https://photos.example.com/old.png')
    await importRow(email, 'https://photos.example.com/new.png')
    expect(await fetches()).toEqual([expect.objectContaining({ url: 'https://photos.example.com/new.png' })])
    await app.del(`/v1/teammates/${id}`)
    expect(await fetches()).toEqual([])
  })

  it('are fetched by another worker when one is stopped in the middle', async () => {
    const email = address()
    const asked = Promise.withResolvers<void>()
    answerOf = () => {
      asked.resolve()
      return new Promise(() => undefined)
    }
    await importRow(email, 'https://photos.example.com/slow.png')
    const worker = startJobs(app)
    await asked.promise
    await worker.stop(0)
    expect((await teammateOf(email)).assetId).toBeNull()
    answerOf = answerWithPicture
    await runDue()
    expect((await teammateOf(email)).assetId).not.toBeNull()
    expect(await fetches()).toEqual([])
  })

  it('are listed for the workspace alone', async () => {
    await importRow(address(), 'https://photos.example.com/own.png')
    const { body } = await app.get('/v1/teammates/picture_fetches', { key: app.other.key })
    expect(body.pagination.total_count).toBe(0)
  })
})
