import { beforeAll, describe, expect, it } from 'vitest'
import { createIntegration } from '#features/workspace/integrations/index.ts'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import {
  addInClientId,
  type MicrosoftKeys,
  startMicrosoftKeys,
  tenantId,
} from '#test/support/directories/microsoft-keys.ts'
import { stack, text } from '#test/support/signatures.ts'
import { createAlias, createPublished, createTeammate } from '#test/support/world.ts'

const adaOid = 'aaaaaaaa-0000-4000-8000-000000000001'
const adaPerson = { oid: adaOid, preferred_username: 'ada@example.com' }
let app: TestApp
let keys: MicrosoftKeys
let id: string
let base: string
let token: string

beforeAll(async () => {
  keys = await startMicrosoftKeys()
  app = await testApp({ env: { SIGNOFF_PUBLIC_URL: 'https://sign.example.com' } })
  const settings = {
    tenant: tenantId,
    add_in_auth: 'naa',
    add_in_client_id: addInClientId,
    add_in_shared_addresses: ['Sales@example.com'],
    login_api: keys.api,
  }
  const input = { kind: 'microsoft_365', capabilities: ['channel'] as const, settings }
  const created = await createIntegration(
    app.db,
    app.by,
    { ...input, capabilities: ['channel'] },
    app.parts.integrations,
  )
  id = created.id
  token = (created.reveals as { deployment_token: string }).deployment_token
  base = `/outlook/${token}`
  const ada = await createTeammate(app, { email: 'ada@example.com' })
  const alias = await createAlias(app, ada.id, 'a.lovelace@example.com')
  const bob = await createTeammate(app, { email: 'bob@example.com' })
  const sales = await createTeammate(app, { email: 'sales@example.com' })
  await createPublished(
    app,
    { draft_content: stack(text('Hi')) },
    ada.emailId,
    alias,
    bob.emailId,
    sales.emailId,
  )
})

const askWith = async (bearer: string | null, from: string, path = 'signature') => {
  const headers: Record<string, string> = bearer === null ? {} : { authorization: `Bearer ${bearer}` }
  const { status, body } = await app.get(`${base}/${path}?from=${from}`, { key: null, headers })
  return status === 200 ? (path === 'signature' ? body.data.new !== null : body.data.known) : body.error.code
}

describe('with nested app authentication, a person', () => {
  it('reads the signatures of the own addresses and of shared ones, and no others', async () => {
    const bearer = await keys.token(adaPerson)
    for (const from of ['ada@example.com', 'a.lovelace@example.com', 'sales@example.com'])
      expect(await askWith(bearer, from), from).toBe(true)
    expect(await askWith(bearer, 'bob@example.com')).toBe('foreign_address')
    expect(await askWith(bearer, 'bob@example.com', 'explain')).toBe('foreign_address')
    expect(await askWith(bearer, 'ada@example.com', 'explain')).toBe(true)
    expect(await askWith(bearer, 'nobody@example.com')).toBe(false)
    expect(keys.requests).toEqual([`/${tenantId}/discovery/v2.0/keys`])
  })

  it('is told which signatures reach the address; the token alone names none', async () => {
    const headers = { authorization: `Bearer ${await keys.token(adaPerson)}` }
    const { body } = await app.get(`${base}/explain?from=ada@example.com`, { key: null, headers })
    expect(body.data.candidates).toMatchObject([{ chosen: true, reason_code: 'first' }])
  })

  it('reports trouble; a report without a person is answered and forgotten', async () => {
    const codes = () => app.db.query<{ code: string }>(sql`select code from installation_troubles`)
    const report = async (bearer: string | null, code: string) => {
      const headers: Record<string, string> = bearer === null ? {} : { authorization: `Bearer ${bearer}` }
      const sent = { code, host: 'Outlook', platform: 'PC', from: 'ada@example.com' }
      const { status } = await app.call('POST', `${base}/trouble`, { key: null, headers, body: sent })
      expect(status).toBe(204)
    }
    await report(null, 'timeout')
    await report(await keys.forged(adaPerson), 'timeout')
    expect(await codes()).toEqual([])
    await report(await keys.token(adaPerson), 'set_failed')
    expect(await codes()).toEqual([{ code: 'set_failed' }])
  })

  it('is recognised by the id of the directory before the name that signs in', async () => {
    const [bob] = await app.db.query<{ id: string }>(
      sql`select teammate_id as id from emails where address = 'bob@example.com'`,
    )
    await app.db.query(sql`
      insert into directory_people (workspace_id, integration_id, external_id, teammate_id, address, aliases, given_keys,
        is_active, attributes, fingerprint, updated_at)
      values (${app.id}, ${id}, ${adaOid}, ${bob?.id}, 'bob@example.com', '{}', '{}', true, '{}', '\\x', now())`)
    const bearer = await keys.token(adaPerson)
    expect(await askWith(bearer, 'bob@example.com')).toBe(true)
    expect(await askWith(bearer, 'ada@example.com')).toBe('foreign_address')
    await app.db.query(sql`delete from directory_people`)
    expect(await askWith(bearer, 'ada@example.com')).toBe(true)
  })

  const refused: Readonly<Record<string, () => Promise<string | null>>> = {
    'no token': async () => null,
    'no JSON Web Token': async () => 'abc',
    'a token of another tenant': () => keys.token(adaPerson, { tid: '22222222-2222-4333-8444-555555555555' }),
    'a token of another issuer': () =>
      keys.token(adaPerson, { iss: 'https://login.microsoftonline.com/common/v2.0' }),
    'a token for another app': () => keys.token(adaPerson, { aud: '00000003-0000-0000-c000-000000000000' }),
    'a token without the scope': () => keys.token(adaPerson, { scp: 'User.Read signature.readwrite' }),
    'a token of an app instead of a person': () => keys.token(adaPerson, { oid: undefined }),
    'a token that has expired': () => keys.token(adaPerson, { exp: Math.floor(Date.now() / 1_000) - 120 }),
    'a token with a forged signature': () => keys.forged(adaPerson),
    'a token without a signature': async () =>
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await keys.token(adaPerson)).split('.')[1]}.`,
  }
  it.each(Object.entries(refused))('is refused with %s', async (_, make) => {
    expect(await askWith(await make(), 'ada@example.com')).toBe('invalid_access_token')
  })

  it('with any form of the audience is accepted', async () => {
    for (const aud of [addInClientId, `api://sign.example.com/${addInClientId}`, `api://${addInClientId}`])
      expect(await askWith(await keys.token(adaPerson, { aud }), 'ada@example.com')).toBe(true)
  })
})

describe('the add-in with nested app authentication', () => {
  it('starts with the settings that it signs people in with, and is named for Outlook', async () => {
    const { text: script } = await app.get(`${base}/launch.js`, { key: null })
    expect(JSON.parse(/^var SIGNOFF=(.*);/.exec(script)?.[1] ?? '')).toEqual({
      base: `https://sign.example.com${base}`,
      auth: 'naa',
      clientId: addInClientId,
      tenantId,
      scope: `api://sign.example.com/${addInClientId}/signature.read`,
    })
    const { body } = await app.get('/.well-known/microsoft-officeaddins-allowed.json', { key: null })
    expect(body).toEqual({ allowed: [`https://sign.example.com${base}/launch.js`] })
    // A token that was sealed with another key hides no others.
    const { body: second } = await app.post(`/v1/integrations/${id}/deployment_tokens`)
    await app.db.query(sql`update deployment_tokens set sealed = '\\x00' where id = ${second.data.id}`)
    const again = await app.get('/.well-known/microsoft-officeaddins-allowed.json', { key: null })
    expect([again.status, again.body]).toEqual([200, body])
    await app.db.query(sql`delete from deployment_tokens where id = ${second.data.id}`)
  })

  it('is not named in public, and works without a person, where the token is enough', async () => {
    const change = (settings: object) => app.patch(`/v1/integrations/${id}`, { integration: { settings } })
    expect((await change({ add_in_token_fallback: true })).status).toBe(200)
    // The settings of a token are cached for some seconds.
    await expect.poll(() => askWith(null, 'bob@example.com')).toBe(true)
    expect(await askWith(await keys.token(adaPerson), 'bob@example.com')).toBe('foreign_address')
    expect(await askWith('abc', 'ada@example.com')).toBe('invalid_access_token')
    const { body } = await app.get('/.well-known/microsoft-officeaddins-allowed.json', { key: null })
    expect(body).toEqual({ allowed: [] })
    await change({ add_in_token_fallback: null })
  })

  it.each([
    [{ tenant: 'example.com' }, 'settings.tenant'],
    [{ add_in_client_id: null }, 'settings.add_in_client_id'],
    [{ add_in_shared_addresses: ['a@example.com', 'b'] }, 'settings.add_in_shared_addresses[1]'],
    [{ add_in_auth: 'sso' }, 'settings.add_in_auth'],
  ])('refuses the settings %j', async (settings, field) => {
    const { status, body } = await app.patch(`/v1/integrations/${id}`, { integration: { settings } })
    expect([status, body.details[0].field]).toEqual([422, field])
  })

  it('takes new keys of Microsoft, and answers 503 while they cannot be read', async () => {
    const other = await testApp({
      env: { SIGNOFF_PUBLIC_URL: 'https://sign.example.com' },
      connection: app.connection,
      workspaces: { own: app, other: app.other },
    })
    keys.isAway = true
    const headers = { authorization: `Bearer ${await keys.token(adaPerson)}` }
    const path = `${base}/signature?from=ada@example.com`
    expect((await other.get(path, { key: null, headers })).status).toBe(503)
    keys.isAway = false
    await keys.rotate()
    headers.authorization = `Bearer ${await keys.token(adaPerson)}`
    expect((await other.get(path, { key: null, headers })).status).toBe(200)
  })
})
