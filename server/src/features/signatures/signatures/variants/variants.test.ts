import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { fieldErrors, type TestApp, testApp } from '#test/support/app.ts'
import { createSignature, field, stack, text, withoutIds } from '#test/support/signatures.ts'
import { createField, unknownId } from '#test/support/world.ts'
import { signatureRoutes } from '../index.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const create = async (): Promise<string> => (await createSignature(app)).headers.location!
const missingVariant = (kind: string) => ({
  kind,
  exists: false,
  id: null,
  activated: false,
  hidden: false,
  show_marketing_campaigns: false,
  content: null,
  draft_content: null,
  last_published_at: null,
  created_at: null,
  updated_at: null,
})

describe('variants', () => {
  it('are both listed before they exist', async () => {
    const path = await create()
    const { status, body } = await app.get(`${path}/variants`)
    expect(status).toBe(200)
    expect(body).toEqual({ data: [missingVariant('reply'), missingVariant('internal')], supported: true })
    expect((await app.get(`${path}/variants/internal`)).body).toEqual({ data: missingVariant('internal') })
  })

  it('are created by the first PATCH and changed by the next', async () => {
    const path = await create()
    const created = await app.patch(`${path}/variants/internal`, {
      variant: { draft_content: stack(text('Hi')) },
    })
    expect(created.status).toBe(200)
    expect(created.body.data).toMatchObject({
      kind: 'internal',
      exists: true,
      activated: false,
      hidden: false,
      show_marketing_campaigns: true,
      content: null,
      last_published_at: null,
    })
    expect(withoutIds(created.body.data.draft_content)).toEqual(stack(text('Hi')))
    const switched = await app.patch(`${path}/variants/internal`, {
      variant: { activated: true, hidden: true, show_marketing_campaigns: false },
    })
    expect(switched.body.data).toMatchObject({
      id: created.body.data.id,
      activated: true,
      hidden: true,
      show_marketing_campaigns: false,
      draft_content: created.body.data.draft_content,
    })
    const read = await app.get(`${path}/variants/internal`)
    expect([read.body, read.headers.etag]).toEqual([switched.body, switched.headers.etag])
    expect((await app.get(`${path}/variants`)).body.data).toEqual([
      missingVariant('reply'),
      switched.body.data,
    ])
    expect((await app.patch(`${path}/variants/internal`, { variant: {} })).body).toEqual(switched.body)
    const cleared = await app.patch(`${path}/variants/internal`, { variant: { draft_content: null } })
    expect(cleared.body.data).toMatchObject({ draft_content: null, activated: true })
    expect((await app.patch(`${path}/variants/reply`, { variant: {} })).body.data.exists).toBe(true)
  })

  it.each([
    [{}, { variant: 'missing' }],
    [{ draft_content: stack() }, { variant: 'missing' }],
    [{ variant: { content: stack() } }, { content: 'unknown_property' }],
    [{ variant: { activated: 'yes' } }, { activated: 'invalid_type' }],
    [{ variant: { hidden: null } }, { hidden: 'invalid_type' }],
    [
      { variant: { draft_content: { type: 'stack', children: [{ type: 'text' }] } } },
      { 'draft_content.children[0].tokens': 'missing' },
    ],
    [
      { variant: { draft_content: stack(field(unknownId)) } },
      { 'draft_content.children[0].tokens[0].smartFieldUuid': 'unknown_reference' },
    ],
  ])('refuse %j', async (sent, expected) => {
    const path = await create()
    const answer = await app.patch(`${path}/variants/reply`, sent)
    expect([answer.status, fieldErrors(answer)]).toEqual([422, expected])
    expect((await app.get(`${path}/variants/reply`)).body.data.exists).toBe(false)
  })

  it('are 404 for an unknown kind or signature', async () => {
    const path = await create()
    const body = { variant: { hidden: true } }
    for (const badPath of [
      `${path}/variants/forward`,
      `${path}/variants/Reply`,
      `${path}/variants/${unknownId}`,
      `/v1/signatures/${unknownId}/variants/reply`,
    ]) {
      for (const [method, requestPath] of [
        ['GET', badPath],
        ['PATCH', badPath],
        ['DELETE', badPath],
        ['POST', `${badPath}/publish`],
      ] as const) {
        const answer = await app.call(method, requestPath, method === 'PATCH' ? { body } : {})
        expect([answer.status, answer.body.error.code], `${method} ${requestPath}`).toEqual([
          404,
          'not_found',
        ])
      }
    }
    expect((await app.get(`/v1/signatures/${unknownId}/variants`)).status).toBe(404)
  })

  it('are published independently of the signature', async () => {
    const path = await create()
    const variantPath = `${path}/variants/reply`
    const tooEarly = await app.post(`${variantPath}/publish`)
    expect([tooEarly.status, tooEarly.body.error.code]).toEqual([409, 'variant_not_created'])
    await app.patch(variantPath, { variant: { hidden: true } })
    const blank = await app.post(`${variantPath}/publish`)
    expect([blank.status, fieldErrors(blank)]).toEqual([422, { draft_content: 'blank' }])
    await app.patch(variantPath, { variant: { draft_content: stack(text('Re')) } })
    await app.patch(path, { draft_content: stack(text('Primary')) })
    await app.post(`${path}/publish`)
    expect((await app.get(variantPath)).body.data.content).toBeNull()
    const published = (await app.post(`${variantPath}/publish`)).body.data
    expect(published.content).toEqual(published.draft_content)
    expect(published.last_published_at).toEqual(expect.any(String))
    await app.patch(variantPath, { variant: { draft_content: null } })
    const again = await app.post(`${variantPath}/publish`)
    expect(again.body.data).toMatchObject({
      content: published.content,
      draft_content: null,
      last_published_at: published.last_published_at,
    })
  })

  it('are switched on by their first publish, and left as they are by later ones', async () => {
    const path = `${await create()}/variants/reply`
    await app.patch(path, { variant: { draft_content: stack(text('Re')) } })
    const first = await app.post(`${path}/publish`)
    expect([first.status, first.body.data.activated]).toEqual([200, true])
    await app.patch(path, { variant: { activated: false } })
    const later = await app.post(`${path}/publish`)
    expect(later.body.data.activated).toBe(false)
    expect(later.body.warnings.map(({ code }: { code: string }) => code)).toContain('variant_not_active')
    expect((await app.post(`${path}/publish`, { activated: true })).body.data.activated).toBe(true)
    expect((await app.get(path)).body.data.activated).toBe(true)
  })

  it('stay off when their publish says so', async () => {
    const path = `${await create()}/variants/internal`
    await app.patch(path, { variant: { draft_content: stack(text('In')) } })
    const published = await app.post(`${path}/publish`, { activated: false })
    expect(published.body.data).toMatchObject({ activated: false, content: { type: 'stack' } })
    expect(published.headers.etag).toBe((await app.get(path)).headers.etag)
    expect((await app.post(`${path}/publish`)).body.data.activated).toBe(false)
  })

  it('that show nothing are published only by force, unless they are hidden', async () => {
    const path = `${await create()}/variants/reply`
    await app.patch(path, { variant: { draft_content: stack() } })
    const refused = await app.post(`${path}/publish`)
    expect([refused.status, fieldErrors(refused)]).toEqual([422, { draft_content: 'nothing_to_show' }])
    expect((await app.get(path)).body.data).toMatchObject({ activated: false, content: null })
    await app.patch(path, { variant: { hidden: true } })
    expect((await app.post(`${path}/publish`)).status).toBe(200)
    await app.patch(path, { variant: { hidden: false } })
    const forced = await app.post(`${path}/publish`, { force: true })
    expect(forced.body.warnings[0]).toMatchObject({ code: 'nothing_to_show', severity: 'error' })
  })

  it('do not exist after a DELETE', async () => {
    const path = await create()
    const variantPath = `${path}/variants/reply`
    const id = await createField(app, 'Of a variant')
    await app.patch(variantPath, { variant: { draft_content: stack(field(id)), activated: true } })
    await app.post(`${variantPath}/publish`)
    expect((await app.del(`/v1/smart_fields/${id}`)).status).toBe(409)
    expect((await app.del(variantPath)).status).toBe(204)
    expect((await app.get(variantPath)).body.data).toEqual(missingVariant('reply'))
    expect((await app.del(variantPath)).status).toBe(204)
    expect((await app.del(`/v1/smart_fields/${id}`)).status).toBe(204)
    expect((await app.patch(variantPath, { variant: { hidden: true } })).body.data).toMatchObject({
      activated: false,
      content: null,
    })
  })

  it('are created once by twenty concurrent requests', async () => {
    const path = await create()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        app.patch(`${path}/variants/reply`, {
          variant: n % 2 ? { activated: true } : { draft_content: stack(text('x')) },
        }),
      ),
    )
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([200]))
    expect(new Set(answers.map(answer => answer.body.data.id)).size).toBe(1)
    const { data } = (await app.get(`${path}/variants/reply`)).body
    expect([data.activated, data.draft_content.type]).toEqual([true, 'stack'])
  })

  it('are not changed with an old ETag, including one from before they existed', async () => {
    const variantPath = `${await create()}/variants/reply`
    const headers = { 'if-match': (await app.get(variantPath)).headers.etag! }
    expect((await app.patch(variantPath, { variant: { hidden: true } }, { headers })).status).toBe(200)
    expect((await app.patch(variantPath, { variant: { hidden: false } }, { headers })).status).toBe(412)
    expect((await app.get(variantPath)).body.data.hidden).toBe(true)
  })

  it('are published only in the version that If-Match names', async () => {
    const variantPath = `${await create()}/variants/reply`
    const draft = (words: string) =>
      app.patch(variantPath, { variant: { draft_content: stack(text(words)) } })
    const publishWith = ({ headers }: { headers: { etag?: string } }) =>
      app.post(`${variantPath}/publish`, undefined, { headers: { 'if-match': headers.etag! } })
    const seen = await draft('seen')
    const newest = await draft('newest')
    const stale = await publishWith(seen)
    expect([stale.status, stale.body.error?.code]).toEqual([412, 'stale_resource'])
    expect((await app.get(variantPath)).body.data.last_published_at).toBeNull()
    expect((await publishWith(newest)).status).toBe(200)
  })

  it('write an audit entry for each change, and none for an empty change', async () => {
    const variantPath = `${await create()}/variants/reply`
    const { id } = (await app.patch(variantPath, { variant: { draft_content: stack() } })).body.data
    await app.patch(variantPath, { variant: {} })
    await app.patch(variantPath, { variant: { hidden: true } })
    await app.post(`${variantPath}/publish`)
    await app.del(variantPath)
    await app.del(variantPath)
    const { body } = await app.get(`/v1/audit_log?resource_id=${id}`)
    expect(body.data.map((entry: { action: string }) => entry.action).reverse()).toEqual([
      'signature_variant.created',
      'signature_variant.updated',
      'signature_variant.published',
      'signature_variant.deleted',
    ])
  })
})

describe('a workspace without a channel that distinguishes kinds of mail', () => {
  it('can read its variants but not write them', async () => {
    const path = await create()
    await app.patch(`${path}/variants/reply`, { variant: { activated: true } })
    const routes = signatureRoutes({
      publicUrl: 'https://signoff.example',
      tracking: null,
      ...app.parts.signatures,
      variantsSupported: async (_db, workspaceId) => workspaceId !== app.id,
    }).filter(route => route.path.includes('/variants'))
    const params = { id: path.split('/').at(-1)!, kind: 'reply' }
    for (const route of routes) {
      const body = { hidden: true }
      const request = {
        isAnswerInTransaction: false,
        client: { method: 'POST', address: '', userAgent: '', headers: {} },
      }
      const answer = route.handle({ ...request, db: app.db, by: app.by, params, query: {}, body })
      if (route.method === 'GET') expect((await answer).status).toBe(200)
      else
        await expect(answer, route.path).rejects.toMatchObject({
          status: 409,
          code: 'variants_unavailable',
          remediation: {
            action: 'connect_integration',
            dashboard_url: 'https://signoff.example/integrations',
          },
        })
      if (route.path.endsWith('/variants'))
        expect(JSON.parse((await answer).body.toString())).toMatchObject({ supported: false })
    }
    expect(routes).toHaveLength(5)
    expect((await app.get(`${path}/variants/reply`)).body.data).toMatchObject({
      activated: true,
      hidden: false,
    })
    const [row] = await app.db.query(
      sql`select count(*)::int as n from signature_variants where workspace_id = ${app.id} and signature_id = ${params.id}`,
    )
    expect(row).toEqual({ n: 1 })
  })
})
