import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { createSignature, field, stack, text, withoutIds } from '#test/support/signatures.ts'
import { createField, unknownId } from '#test/support/world.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const create = async (more: object = {}): Promise<string> =>
  (await createSignature(app, more)).headers.location!

describe('publishing', () => {
  it('copies the draft to the content, keeps the draft, and stores a version', async () => {
    const path = await create({ draft_content: stack(text('One')) })
    const published = await app.post(`${path}/publish`)
    expect(published.status).toBe(200)
    const { data } = published.body
    expect(data).toMatchObject({ signature_installation_activated: true, has_unpublished_changes: false })
    expect(data.content).toEqual(data.draft_content)
    expect(withoutIds(data.content)).toEqual(stack(text('One')))
    expect(data.last_published_at).toEqual(expect.any(String))
    const read = await app.get(path)
    expect([read.body.data, read.headers.etag]).toEqual([data, published.headers.etag])
    const { body } = await app.get(`${path}/versions`)
    expect(body.data).toEqual([
      {
        id: expect.any(String),
        number: 1,
        published_at: data.last_published_at,
        published_by: 'owner@example.com',
        note: null,
      },
    ])
    const version = await app.get(`${path}/versions/${body.data[0].id}`)
    expect(version.body.data).toEqual({ ...body.data[0], content: data.content })
  })

  it('does not change the published content before the next publish', async () => {
    const path = await create({ draft_content: stack(text('One')) })
    const first = (await app.post(`${path}/publish`)).body.data
    const changed = (await app.patch(path, { draft_content: stack(text('Two')) })).body.data
    expect(changed).toMatchObject({
      content: first.content,
      has_unpublished_changes: true,
      last_published_at: first.last_published_at,
    })
    expect((await app.patch(path, { draft_content: first.content })).body.data.has_unpublished_changes).toBe(
      false,
    )
    const cleared = (await app.patch(path, { draft_content: null })).body.data
    expect(cleared).toMatchObject({
      content: first.content,
      draft_content: null,
      has_unpublished_changes: false,
    })
  })

  it('without a draft activates the last published content again, without a new version', async () => {
    const path = await create({ draft_content: stack(text('One')) })
    const first = (await app.post(`${path}/publish`)).body.data
    await app.patch(path, { draft_content: null })
    const deactivated = await app.post(`${path}/deactivate`)
    expect([deactivated.status, deactivated.body.data.signature_installation_activated]).toEqual([200, false])
    const again = (await app.post(`${path}/publish`)).body.data
    expect(again).toMatchObject({
      signature_installation_activated: true,
      content: first.content,
      draft_content: null,
      last_published_at: first.last_published_at,
    })
    expect((await app.get(`${path}/versions`)).body.pagination.total_count).toBe(1)
  })

  it('refuses a signature without any content', async () => {
    const path = await create()
    const refused = await app.post(`${path}/publish`)
    expect([refused.status, fieldErrors(refused)]).toEqual([422, { draft_content: 'blank' }])
    expect((await app.get(path)).body.data.signature_installation_activated).toBe(false)
    expect((await app.post(`${path}/deactivate`)).status).toBe(200)
    for (const action of ['publish', 'deactivate'])
      expect((await app.post(`/v1/signatures/${unknownId}/${action}`)).status).toBe(404)
  })

  it('by twenty concurrent requests stores twenty versions', async () => {
    const path = await create({ draft_content: stack(text('Race')) })
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.post(`${path}/publish`)))
    expect(answers.map(answer => answer.status)).toEqual(Array(20).fill(200))
    const { body } = await app.get(`${path}/versions?limit=100`)
    expect(body.data.map((version: { number: number }) => version.number)).toEqual(
      Array.from({ length: 20 }, (_, index) => 20 - index),
    )
  })

  it('during a draft change publishes the old or the new draft, and keeps the new draft', async () => {
    const path = await create({ draft_content: stack(text('0')) })
    for (let round = 1; round <= 10; round++) {
      const [patched, published] = await Promise.all([
        app.patch(path, { draft_content: stack(text(String(round))), name: `Round ${round}` }),
        app.post(`${path}/publish`),
      ])
      expect([patched.status, published.status]).toEqual([200, 200])
      const { data } = (await app.get(path)).body
      expect(data.draft_content).toEqual(patched.body.data.draft_content)
      expect(data.name).toBe(`Round ${round}`)
      expect([stack(text(String(round - 1))), stack(text(String(round)))]).toContainEqual(
        withoutIds(data.content),
      )
      const [newest] = (await app.get(`${path}/versions?limit=1`)).body.data
      expect(newest.number).toBe(round)
      expect((await app.get(`${path}/versions/${newest.id}`)).body.data.content).toEqual(data.content)
    }
  })

  it('happens once per Idempotency-Key', async () => {
    const path = await create({ draft_content: stack(text('x')) })
    const headers = { 'idempotency-key': 'publish-once' }
    for (let i = 0; i < 3; i++)
      expect((await app.post(`${path}/publish`, undefined, { headers })).status).toBe(200)
    expect((await app.get(`${path}/versions`)).body.pagination.total_count).toBe(1)
  })
})

describe('a version', () => {
  it('is restored into the draft, and the next version has a note about it', async () => {
    const path = await create({ draft_content: stack(text('One')) })
    const firstContent = (await app.post(`${path}/publish`)).body.data.content
    await app.patch(path, { draft_content: stack(text('Two')) })
    const secondContent = (await app.post(`${path}/publish`)).body.data.content
    const versions = (await app.get(`${path}/versions`)).body.data
    expect(versions.map((version: { number: number }) => version.number)).toEqual([2, 1])
    const restored = await app.post(`${path}/versions/${versions[1].id}/restore`)
    expect(restored.status).toBe(200)
    expect(restored.body.data).toMatchObject({
      draft_content: firstContent,
      content: secondContent,
      has_unpublished_changes: true,
    })
    await app.patch(path, { name: 'Another name' })
    await app.post(`${path}/publish`)
    const notes = async () =>
      (await app.get(`${path}/versions`)).body.data.map((version: { note: string | null }) => version.note)
    expect(await notes()).toEqual(['Restored from version 1', null, null])
    await app.patch(path, { draft_content: stack(text('Three')) })
    await app.post(`${path}/publish`)
    expect(await notes()).toEqual([null, 'Restored from version 1', null, null])
  })

  it('does not block deletion of what it refers to, and is restored unchanged afterwards', async () => {
    const fieldId = await createField(app, 'Gone')
    const path = await create({ draft_content: stack(field(fieldId)) })
    const first = (await app.post(`${path}/publish`)).body.data.content
    await app.patch(path, { draft_content: stack(text('Plain')) })
    await app.post(`${path}/publish`)
    expect((await app.del(`/v1/smart_fields/${fieldId}`)).status).toBe(204)
    const [, version] = (await app.get(`${path}/versions`)).body.data
    expect((await app.post(`${path}/versions/${version.id}/restore`)).body.data.draft_content).toEqual(first)
    expect((await app.get(`${path}/preview`)).body.data.html).toBe('')
  })

  it('is found only under its own signature', async () => {
    const [path, other] = [await create({ draft_content: stack(text('x')) }), await create()]
    await app.post(`${path}/publish`)
    const [{ id }] = (await app.get(`${path}/versions`)).body.data
    expect((await app.get(`${path}/versions/${id}`)).status).toBe(200)
    for (const badPath of [
      `${other}/versions/${id}`,
      `${path}/versions/${unknownId}`,
      `${path}/versions/1`,
    ]) {
      expect((await app.get(badPath)).status, badPath).toBe(404)
      expect((await app.post(`${badPath}/restore`)).status, badPath).toBe(404)
    }
    expect((await app.get(`/v1/signatures/${unknownId}/versions`)).status).toBe(404)
  })

  it('is listed in pages', async () => {
    const path = await create({ draft_content: stack(text('x')) })
    for (let i = 0; i < 5; i++) await app.post(`${path}/publish`)
    const { body } = await app.get(`${path}/versions?limit=2&page=2`)
    expect(body.data.map((version: { number: number }) => version.number)).toEqual([3, 2])
    expect(body.pagination).toEqual({ page: 2, limit: 2, total_count: 5, total_pages: 3, has_more: true })
  })

  it('has stored references', async () => {
    const path = await create({ draft_content: stack(text('x')) })
    const fieldId = await createField(app, 'Kept')
    await app.patch(path, { draft_content: stack(field(fieldId)) })
    await app.post(`${path}/publish`)
    const [version] = (await app.get(`${path}/versions`)).body.data
    const rows = await app.db.query(sql`
      select holder_kind from content_references
      where workspace_id = ${app.id} and holder_id = ${version.id} and target_id = ${fieldId}`)
    expect(rows).toEqual([{ holder_kind: 'version' }])
  })
})
