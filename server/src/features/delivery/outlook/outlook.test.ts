import { hash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { command } from '#test/support/command.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { solidPicture, upload } from '#test/support/pictures.ts'
import { urlOf } from '#test/support/postgres/postgres.ts'
import { stack, text } from '#test/support/signatures.ts'
import { createAlias, createPublished, createTeammate, publish } from '#test/support/world.ts'

const ada = 'ada@example.com'
let app: TestApp
let integration: { id: string; deployment_token: string; manifest_url: string }
let base: string
let adaId: string
let signatureId: string
const links = stack(text('Ada'), {
  type: 'text',
  tokens: [{ id: 'site', value: 'Site', href: { text: 'https://www.example.com/' } }],
})

const open = { key: null }
const ask = (from: string, headers: Record<string, string> = {}) =>
  app.get(`${base}/signature?from=${encodeURIComponent(from)}`, { key: null, headers })
const dataFor = async (from: string) => (await ask(from)).body.data
const installation = async () =>
  (await app.get(`/v1/installations?integration_id=${integration.id}&limit=100`)).body.data.find(
    (row: { email_address: string }) => row.email_address === ada,
  )

beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_PUBLIC_URL: 'https://sign.example.com' } })
  integration = (
    await app.post('/v1/integrations', { integration: { kind: 'microsoft_365', name: 'Outlook' } })
  ).body.data
  base = `/outlook/${integration.deployment_token}`
  const teammate = await createTeammate(app, { email: ada })
  adaId = teammate.id
  await createAlias(app, adaId, 'sales@example.com')
  signatureId = await createPublished(app, { draft_content: links }, teammate.emailId)
  await runAllJobs(app)
})

describe('an integration of Outlook', () => {
  it('is a channel with a token, which is shown once, and needs no tenant', async () => {
    expect(integration.deployment_token).toMatch(/^[\w-]{43}$/)
    expect(integration.manifest_url).toBe(
      `https://sign.example.com/outlook/${integration.deployment_token}/manifest.xml`,
    )
    const { body } = await app.get(`/v1/integrations/${integration.id}`)
    expect(body.data).toMatchObject({ kind: 'microsoft_365', capabilities: ['channel'] })
    expect(JSON.stringify(body)).not.toContain(integration.deployment_token)
    const [stored] = await app.db.query(sql`select hash, sealed from deployment_tokens`)
    expect(JSON.stringify(stored)).not.toContain(Buffer.from(integration.deployment_token).toString('hex'))
  })

  it('as a directory still needs tenant, app and credential; both capabilities can be had at once', async () => {
    const both = { kind: 'microsoft_365', capabilities: ['directory', 'channel'] }
    const create = (sent: object) => app.post('/v1/integrations', { integration: { ...both, ...sent } })
    const settings = { tenant: 'example.com', client_id: '0190a1b2-0000-7000-8000-000000000001' }
    expect((await create({})).body.details[0]).toMatchObject({ field: 'settings.tenant', code: 'missing' })
    expect((await create({ settings })).body.details[0].field).toBe('secret.client_secret')
    const created = await create({ settings, secret: { client_secret: 'x' } })
    expect(created.body.data).toMatchObject({ capabilities: both.capabilities })
    expect(created.body.data.deployment_token).toMatch(/^[\w-]{43}$/)
    const path = `/v1/integrations/${integration.id}`
    const refused = await app.patch(path, { integration: { capabilities: both.capabilities, settings } })
    expect(refused.body.details[0].field).toBe('secret.client_secret')
    await app.del(`/v1/integrations/${created.body.data.id}`)
    expect((await app.get(`/outlook/${created.body.data.deployment_token}/manifest.xml`, open)).status).toBe(
      404,
    )
  })

  it('replaces its token while both work, and stops those that were revoked', async () => {
    const path = `/v1/integrations/${integration.id}/deployment_tokens`
    const second = (await app.post(path)).body.data
    expect(second).toMatchObject({ number: 2, last_used_at: null })
    const third = await app.post(path)
    expect([third.status, third.body.details[0]]).toMatchObject([422, { field: 'id', code: 'too_many' }])
    const tokens = [integration.deployment_token, second.deployment_token]
    for (const token of tokens)
      expect((await app.get(`/outlook/${token}/signature?from=${ada}`, open)).body.data.new).not.toBeNull()
    const listed = (await app.get(path)).body.data
    expect(listed.map((token: { manifest_url: string }) => token.manifest_url)).toEqual(
      tokens.toReversed().map(token => `https://sign.example.com/outlook/${token}/manifest.xml`),
    )
    expect(listed[1].last_used_at).not.toBeNull()
    const xmlOf = async (token = '') => (await app.get(`/outlook/${token}/manifest.xml`, open)).text
    const [before, after] = [await xmlOf(tokens[0]), await xmlOf(tokens[1])]
    const idOf = (xml: string) => /<Id>(.*)<\/Id>/.exec(xml)?.[1]
    expect([idOf(before), idOf(after)]).toEqual([integration.id, integration.id])
    expect([before.includes('<Version>1.0.1.0<'), after.includes('<Version>1.0.2.0<')]).toEqual([true, true])
    expect((await app.del(`${path}/${second.id}`)).status).toBe(204)
    expect((await app.get(`/outlook/${tokens[1]}/signature?from=${ada}`, open)).status).toBe(404)
    expect((await app.del(`${path}/${second.id}`)).status).toBe(404)
    expect((await app.get(path, { key: app.other.key })).status).toBe(404)
  })

  it('is connected and replaced on the command line by the same rules', async () => {
    const workspace = await app.workspace('Commands')
    const env = {
      DATABASE_URL: urlOf(app.connection),
      SIGNOFF_DATA_DIR: app.config.dataDir,
      SIGNOFF_PUBLIC_URL: app.config.publicUrl,
    }
    const signoff = async (...args: string[]) => {
      const { code, out, err } = await command(['integrations', ...args, '-w', workspace.id], env)
      return code === 0 ? out : err
    }
    const tokensIn = (text: string) =>
      [...text.matchAll(/\/outlook\/([\w-]{43})\//g)].map(([, token]) => token)
    const added = await signoff('add', 'outlook')
    const [, id = ''] = /as ([\w-]{36})/.exec(added) ?? []
    const rotated = await signoff('outlook', 'rotate', id)
    expect(await signoff('outlook', 'rotate', id)).toContain('has 2 tokens already')
    const listed = await signoff('outlook', 'tokens', id)
    expect(tokensIn(listed)).toEqual([...tokensIn(rotated), ...tokensIn(added)])
    const [old = ''] = listed.trim().split('\n').at(-1)?.split(' ') ?? []
    expect(await signoff('outlook', 'revoke', id, old)).toContain('Revoked')
    expect(tokensIn(await signoff('outlook', 'tokens', id))).toEqual(tokensIn(rotated))
    expect(await signoff('add', 'outlook', '--sign-in')).toContain('settings.tenant')
  })

  it.each(['x', 'A'.repeat(43), '%00', `${'A'.repeat(42)}%C3`])(
    'answers 404 for the token %s',
    async token => {
      for (const file of ['manifest.xml', `signature?from=${ada}`, 'launch.js', 'icon-16.png'])
        expect((await app.get(`/outlook/${token}/${file}`, open)).status).toBe(404)
    },
  )
})

describe('the signature for Outlook', () => {
  it('has all kinds of mail, with the tracking of the asked address', async () => {
    const answer = await ask(ada.toUpperCase())
    expect(answer.headers['cache-control']).toBe('private, no-cache')
    const { new: main, reply, internal, domains } = answer.body.data
    expect(main.html).toContain('Ada')
    expect(main.html).toContain('https://sign.example.com/c/')
    expect(main.sha).toBe(hash('sha256', main.html))
    expect([reply, internal]).toEqual([main, null])
    expect(domains).toEqual((await app.get('/v1/workspace')).body.data.own_domains ?? [])
    const live = await app.get(
      `/v1/signatures/${signatureId}/html?email_id=${(await installation()).email_id}`,
    )
    expect(main.html).toBe(live.body.data.html)
  })

  it('is not sent again while it has not changed', async () => {
    const { headers } = await ask(ada)
    const again = await ask(ada, { 'if-none-match': headers.etag ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it('can be read by pages of any origin, with a token of Microsoft', async () => {
    const headers = { origin: 'null', 'access-control-request-headers': 'authorization' }
    const preflight = await app.call('OPTIONS', `${base}/signature`, { key: null, headers })
    expect([preflight.status, preflight.headers['access-control-allow-headers']]).toEqual([
      204,
      'Authorization, Content-Type, If-None-Match',
    ])
    expect((await ask(ada, { origin: 'null' })).headers['access-control-allow-origin']).toBe('*')
  })

  it('is null for addresses of other workspaces, of inactive people, and for those that no signature reaches', async () => {
    const none = { new: null, reply: null, internal: null }
    await createTeammate(app, { email: 'bob@example.com' })
    for (const from of ['bob@example.com', 'nobody@example.com', 'owner@example.com'])
      expect(await dataFor(from)).toMatchObject(none)
    const setActive = (active: boolean) =>
      app.db.query(sql`update teammates set active = ${active} where id = ${adaId}`)
    await setActive(false)
    expect(await dataFor(ada)).toMatchObject(none)
    await setActive(true)
    expect((await dataFor(ada)).new).not.toBeNull()
  })

  it.each([
    ['', 'missing'],
    ['?from=', 'missing'],
    ['?from=ada', 'invalid'],
    [`?from=${'a'.repeat(400)}@example.com`, 'too_long'],
  ])('names the field when the request is %s', async (query, code) => {
    const { status, body } = await app.get(`${base}/signature${query}`, open)
    expect([status, body.details[0]]).toMatchObject([422, { field: 'from', code }])
  })

  it('has an own form for replies and internal mail, or nothing where the variant is hidden', async () => {
    const variant = (kind: string, sent: object) =>
      app.patch(`/v1/signatures/${signatureId}/variants/${kind}`, { variant: { activated: true, ...sent } })
    await variant('reply', { draft_content: stack(text('Short')) })
    await app.post(`/v1/signatures/${signatureId}/variants/reply/publish`)
    await variant('internal', { hidden: true })
    await expect.poll(async () => (await dataFor(ada)).reply.html).toContain('Short')
    const { new: main, internal } = await dataFor(ada)
    expect(main.html).not.toContain('Short')
    expect([internal.html, internal.text]).toEqual(['', ''])
    const explained = (await app.get(`${base}/explain?from=${ada}`, open)).body.data
    expect(explained).toMatchObject({
      from: ada,
      known: true,
      signature: { reply: 'variant', internal: 'hidden', campaign: null },
      // The token opens what is in mails. Names of other signatures are not.
      candidates: [],
    })
    expect((await app.get(`${base}/explain?from=x@example.com`, open)).body.data.known).toBe(false)
  })

  it('makes the installation installed, and a new version pending until it is fetched', async () => {
    await expect.poll(async () => (await installation()).status).toBe('installed')
    expect(await installation()).toMatchObject({ channel: 'microsoft_365', trouble: null })
    await app.patch(`/v1/signatures/${signatureId}`, { signature: { draft_content: stack(text('Newer')) } })
    await publish(app, signatureId)
    await runAllJobs(app)
    expect((await installation()).status).toBe('pending')
    await expect.poll(async () => (await dataFor(ada)).new.html).toContain('Newer')
    await expect.poll(async () => (await installation()).status).toBe('installed')
    const { first_fetched_at, last_fetched_at, html_sha256 } = await installation()
    expect([first_fetched_at, last_fetched_at].includes(null)).toBe(false)
    expect(html_sha256).toBe((await dataFor(ada)).new.sha)
  })

  it('is sent when Outlook takes only its text, and the trouble is listed', async () => {
    await app.patch(`/v1/signatures/${signatureId}`, {
      signature: {
        draft_content: stack(...Array.from({ length: 200 }, (_, n) => text(`${n} ${'long '.repeat(30)}`))),
      },
    })
    await publish(app, signatureId)
    await expect.poll(async () => (await dataFor(ada)).new.html.length).toBeGreaterThan(30_000)
    expect((await dataFor(ada)).new.text).toContain('199 long')
    const { body } = await app.get(`/v1/installations?trouble=any&integration_id=${integration.id}`)
    expect(body.data.map((row: { trouble: object }) => row.trouble)).toMatchObject([
      { code: 'too_long', count: 1 },
    ])
  })
})

describe('troubles of Outlook', () => {
  const report = (sent: object) => app.call('POST', `${base}/trouble`, { key: null, body: sent })

  it('are shown with the installation of the address, without anything else that was sent', async () => {
    const sent = { code: 'set_failed', host: 'Outlook\u0000', platform: `PC ${'9'.repeat(150)}`, from: ada }
    expect((await report({ ...sent, host: 'Outlook' })).status).toBe(204)
    const { trouble } = await installation()
    expect(trouble).toMatchObject({ code: 'set_failed', host: 'Outlook', count: 1 })
    expect([trouble.platform.length, trouble.message]).toEqual([100, 'Outlook refused to set the signature.'])
    await report({ ...sent, host: 'Outlook' })
    expect((await installation()).trouble).toEqual(trouble)
  })

  it('of unknown addresses are accepted and forgotten; wrong reports are refused', async () => {
    expect((await report({ code: 'timeout', host: 'x', platform: 'y', from: 'z@example.com' })).status).toBe(
      204,
    )
    expect((await report({ code: 'timeout', host: 'x', platform: 'y' })).status).toBe(204)
    for (const wrong of [
      { code: 'other', host: '', platform: '' },
      { code: 'timeout' },
      { body: 'Dear Bob' },
    ])
      expect((await report(wrong)).status).toBe(422)
    const [row] = await app.db.query<{ n: number }>(sql`select count(*)::int as n from installation_troubles`)
    expect(row?.n).toBe(1)
  })

  it('beyond a number per minute are answered and not recorded', async () => {
    await app.db.query(sql`delete from installation_troubles`)
    for (let n = 0; n < 30; n++) await report({ code: 'timeout', host: 'x', platform: 'y' })
    expect((await report({ code: 'unexpected', host: 'x', platform: 'y', from: ada })).status).toBe(204)
    expect((await installation()).trouble).toBeNull()
  })
})

describe('the files of the add-in', () => {
  it('have the address of the service and the token in front of the script', async () => {
    const { status, headers, text: script } = await app.get(`${base}/launch.js`, open)
    const start = { base: `https://sign.example.com${base}`, auth: 'token' }
    expect([status, script.split('\n')[0]]).toEqual([200, `var SIGNOFF=${JSON.stringify(start)};`])
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    const again = await app.get(`${base}/launch.js`, {
      key: null,
      headers: { 'if-none-match': headers.etag ?? '' },
    })
    expect(again.status).toBe(304)
    for (const page of ['launch.html', 'taskpane.html']) {
      const { headers: sent, text: html } = await app.get(`${base}/${page}`, open)
      expect(html).toMatch(/^<!doctype html>/)
      expect(sent['x-frame-options']).toBeUndefined()
    }
  })

  it('have the icons of the product, or the whole logo of the company', async () => {
    const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]
    const own = await app.get(`${base}/icon-32.png`, open)
    expect(sizeOf(own.bytes)).toEqual([32, 32])
    const logo = await upload(app, await solidPicture(300, 100).png().toBuffer(), { role: 'company_logo' })
    await app.patch('/v1/workspace/brand', { logo_asset_id: logo.body.data.id })
    for (const side of [16, 32, 64, 80, 128]) {
      const icon = await app.get(`${base}/icon-${side}.png`, open)
      expect([icon.headers['content-type'], ...sizeOf(icon.bytes)]).toEqual(['image/png', side, side])
      expect(icon.bytes.equals(own.bytes)).toBe(false)
    }
  })

  it('are named in public by no secret token', async () => {
    const { status, body } = await app.get('/.well-known/microsoft-officeaddins-allowed.json', open)
    expect([status, body]).toEqual([200, { allowed: [] }])
  })
})
