import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { recordCopy } from '#features/installations/index.ts'
import { changeSwitch } from '#features/workspaces/index.ts'
import type { Db } from '#kernel/db.ts'
import { buildParts } from '#parts.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { workAll } from '#test/support/jobs.ts'

const nobody = '01a1e0a4-15b9-71f7-98af-f25f4b8294b4'
let app: TestApp
let firstName: string
beforeAll(async () => {
  app = await testApp()
  const { body } = await app.get('/v1/smart_fields?limit=100')
  firstName = body.data.find((field: { key: string }) => field.key === 'first_name').id
})

let made = 0
async function teammate(name = 'Ada') {
  made += 1
  const smart_fields = [{ smart_field_id: firstName, value: name }]
  const { body } = await app.post('/v1/teammates', {
    teammate: { email: `page${made}@example.com`, smart_fields },
  })
  return { id: body.data.id as string, emailId: body.data.emails[0].id as string }
}
const saying = (words: string) => ({
  type: 'stack',
  children: [{ type: 'text', tokens: [{ value: `${words} ` }, { smartFieldUuid: firstName }] }],
})
async function published(words: string, emailId: string) {
  const { body } = await app.post('/v1/signatures', {
    signature: { name: words, draft_content: saying(words) },
  })
  await app.post(`/v1/signatures/${body.data.id}/emails`, { email_ids: [emailId] })
  await app.post(`/v1/signatures/${body.data.id}/publish`)
  await workAll(app)
  return body.data.id as string
}
async function republish(id: string, words: string) {
  await app.patch(`/v1/signatures/${id}`, { signature: { draft_content: saying(words) } })
  await app.post(`/v1/signatures/${id}/publish`)
}
const pathOf = async (emailId: string) =>
  new URL((await app.get(`/v1/emails/${emailId}/personal_page`)).body.data.url).pathname
const look = (path: string) => app.get(path, { key: null })
const copied = async (path: string, version = '') =>
  (await app.post(`${path}/copied${version && `?version=${version}`}`, undefined, { key: null })).body.data
    .state
const rowOf = async (emailId: string, id: string) =>
  (await app.get(`/v1/installations?email_id=${emailId}&signature_template_id=${id}`)).body.data[0]
const versionOn = (text: string) => /"version":"([0-9a-f]{64})"/.exec(text)?.[1] ?? ''

describe('the address of a page', () => {
  it('is made when asked for, stays, and cannot be guessed', async () => {
    const [ada, bob] = [await teammate(), await teammate()]
    const { status, body } = await app.get(`/v1/emails/${ada.emailId}/personal_page`)
    expect([status, body.data]).toEqual([
      200,
      { email_id: ada.emailId, url: expect.any(String), created_at: expect.any(String) },
    ])
    expect(body.data.url).toMatch(/^http:\/\/localhost:3000\/p\/[\w-]{22}\/[\w-]{22}$/)
    expect((await app.get(`/v1/emails/${ada.emailId.toUpperCase()}/personal_page`)).body).toEqual(body)
    expect(await pathOf(bob.emailId)).not.toBe(new URL(body.data.url).pathname)
    const entries = (await app.get(`/v1/audit_log?resource_id=${ada.emailId}`)).body.data
    expect(entries.map((entry: { action: string }) => entry.action)).toEqual(['email.personal_page_created'])
  })

  it('is the same for all who ask at once', async () => {
    const { emailId } = await teammate()
    const paths = await Promise.all(Array.from({ length: 8 }, () => pathOf(emailId)))
    expect(new Set(paths).size).toBe(1)
  })

  it('is replaced on request, and noted; the old one leads nowhere', async () => {
    const { emailId } = await teammate()
    const old = await pathOf(emailId)
    const { status, body } = await app.post(`/v1/emails/${emailId}/personal_page/rotate`)
    const fresh = new URL(body.data.url).pathname
    expect([status, fresh === old]).toEqual([200, false])
    expect(await pathOf(emailId)).toBe(fresh)
    expect((await look(fresh)).status).toBe(200)
    const gone = await look(old)
    expect([gone.status, gone.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(gone.text).toContain('ask whoever sent it to you')
    expect((await app.post(`${old}/copied`, undefined, { key: null })).status).toBe(404)
    const [entry] = (await app.get(`/v1/audit_log?resource_id=${emailId}`)).body.data
    expect(entry.action).toBe('email.personal_page_rotated')
  })

  it('can be replaced before anybody asked for it', async () => {
    const { emailId } = await teammate()
    const { body } = await app.post(`/v1/emails/${emailId}/personal_page/rotate`)
    expect(await pathOf(emailId)).toBe(new URL(body.data.url).pathname)
  })

  it('of an unknown, deleted or foreign one is 404', async () => {
    const { id, emailId } = await teammate()
    const path = await pathOf(emailId)
    const foreign = await app.get(`/v1/emails/${emailId}/personal_page`, { key: app.other.key })
    expect(foreign.status).toBe(404)
    await app.del(`/v1/teammates/${id}`)
    for (const one of [nobody, emailId]) {
      expect((await app.get(`/v1/emails/${one}/personal_page`)).status).toBe(404)
      expect((await app.post(`/v1/emails/${one}/personal_page/rotate`)).status).toBe(404)
    }
    expect((await look(path)).status).toBe(404)
  })

  it('leads nowhere under another workspace, or with anything changed', async () => {
    const { emailId } = await teammate()
    const path = await pathOf(emailId)
    const [, , workspace = '', token = ''] = path.split('/')
    const other = Buffer.from(app.other.id.replaceAll('-', ''), 'hex').toString('base64url')
    for (const wrong of [
      `/p/${other}/${token}`,
      `/p/${workspace}/${token.slice(1)}`,
      `/p/${workspace}/${token}x`,
      `/p/${app.id}/${token}`,
      `/p/${workspace}/%00`,
      `/p/%ff/${token}`,
    ])
      expect((await look(wrong)).status, wrong).toBe(404)
    expect((await look(path)).status).toBe(200)
  })
})

describe('a page', () => {
  it('is for its owner alone: nobody keeps, frames, lists or is told of it, and one script runs', async () => {
    const { emailId } = await teammate()
    const { headers } = await look(await pathOf(emailId))
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    })
    const policy = headers['content-security-policy']
    expect(policy).toContain("default-src 'none'; script-src 'sha256-")
    expect(policy).toContain("img-src 'self' http://localhost:3000 https:;")
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  })

  it('says kindly that there is nothing to install', async () => {
    const { emailId } = await teammate()
    const path = await pathOf(emailId)
    const { text } = await look(path)
    expect(text).toContain('There is no signature for this address yet.')
    expect(text).not.toContain('<button')
    expect(await copied(path)).toBe('none')
  })

  it('follows from the first copy to the next version', async () => {
    const { emailId } = await teammate()
    const id = await published('First', emailId)
    const path = await pathOf(emailId)
    expect((await look(path)).text).toContain('Your signature is ready.')
    expect((await rowOf(emailId, id)).status).toBe('pending')

    const version = versionOn((await look(path)).text)
    expect(await copied(path, version)).toBe('current')
    const row = await rowOf(emailId, id)
    expect(row).toMatchObject({
      channel: 'personal_page',
      status: 'installed',
      html_sha256: version,
      installed_at: expect.any(String),
    })
    expect(await copied(path)).toBe('current')
    expect(await rowOf(emailId, id)).toEqual(row)
    expect((await look(path)).text).toContain('You have the current signature.')

    await republish(id, 'Second')
    expect((await look(path)).text).toContain('An update is available.') // before the jobs, too
    await workAll(app)
    expect((await rowOf(emailId, id)).status).toBe('pending')
    expect((await look(path)).text).toContain('An update is available.')
    expect(await copied(path)).toBe('current')
    expect((await rowOf(emailId, id)).status).toBe('installed')
  })

  it('that was open while the signature changed notes nothing', async () => {
    const { emailId } = await teammate()
    const id = await published('Old', emailId)
    const path = await pathOf(emailId)
    const version = versionOn((await look(path)).text)
    await republish(id, 'New')
    expect(await copied(path, version)).toBe('outdated')
    expect((await rowOf(emailId, id)).status).toBe('pending')
    expect((await app.post(`${path}/copied?version=x`, undefined, { key: null })).status).toBe(422)
  })

  it('tells of another signature in the place of the one that was copied', async () => {
    const { emailId } = await teammate()
    const first = await published('Before', emailId)
    const path = await pathOf(emailId)
    await copied(path)
    await app.post(`/v1/signatures/${first}/deactivate`)
    await published('After', emailId)
    const { text } = await look(path)
    expect(text).toContain('After Ada')
    expect(text).toContain('An update is available.')
  })

  it('shows replies where they differ', async () => {
    const { emailId } = await teammate()
    const id = await published('Long', emailId)
    const path = await pathOf(emailId)
    expect((await look(path)).text).not.toContain('For replies')
    await app.patch(`/v1/signatures/${id}/variants/reply`, {
      variant: { draft_content: saying('Short'), activated: true },
    })
    await app.post(`/v1/signatures/${id}/variants/reply/publish`)
    const { text } = await look(path)
    expect(text).toContain('For replies')
    expect(text).toContain('Short Ada')
    await app.patch(`/v1/signatures/${id}/variants/reply`, { variant: { hidden: true } })
    expect((await look(path)).text).toContain('Replies carry no signature')
  })

  it('shows values made of markup as text', async () => {
    const { emailId } = await teammate('</script><script>alert(1)</script><img src=x onerror=alert(1)>')
    await published('Hi', emailId)
    const { text } = await look(await pathOf(emailId))
    expect(text).toContain('Hi &lt;/script&gt;&lt;script&gt;alert(1)')
    expect(text).not.toMatch(/<script>alert|<img src=x/)
    expect(text.match(/<\/script>/g)).toHaveLength(2)
  })
})

describe('a copy', () => {
  it('is noted where nobody has asked for an installation yet', async () => {
    const { emailId } = await teammate()
    const { body } = await app.post('/v1/signatures', {
      signature: { name: 'x', draft_content: saying('x') },
    })
    await app.post(`/v1/signatures/${body.data.id}/emails`, { email_ids: [emailId] })
    await app.post(`/v1/signatures/${body.data.id}/publish`)
    expect(await rowOf(emailId, body.data.id)).toBeUndefined()
    expect(await copied(await pathOf(emailId))).toBe('current')
    expect((await rowOf(emailId, body.data.id)).status).toBe('installed')
    await workAll(app)
    expect((await rowOf(emailId, body.data.id)).status).toBe('installed')
  })

  it('that a new version overtakes while it is noted does not pass for the new one', async () => {
    const { emailId } = await teammate()
    const id = await published('v1', emailId)
    let overtaking: Promise<void> | undefined
    const slow = (db: Db): Db => ({
      transaction: (within, isolation) => db.transaction(tx => within(slow(tx)), isolation),
      async query(statement) {
        if (!overtaking && statement.text.includes('insert into installations')) {
          await republish(id, 'v2')
          overtaking = workAll(app)
          await sleep(300)
        }
        return db.query(statement)
      },
    })
    await recordCopy(slow(app.db), { workspaceId: app.id, ...buildParts(app.config).rendering }, emailId)
    await overtaking
    expect([overtaking !== undefined, (await rowOf(emailId, id)).status]).toEqual([true, 'pending'])
    expect((await look(await pathOf(emailId))).text).toContain('An update is available.')
  })
})

describe('a workspace without personal pages', () => {
  it('shows none, has no variants, and installs only by what is connected', async () => {
    const app = await testApp()
    const email = (await app.post('/v1/teammates', { teammate: { email: 'ada@example.com' } })).body.data
      .emails[0].id
    const made = await app.post('/v1/signatures', {
      signature: {
        name: 'All',
        draft_content: { type: 'stack', children: [{ type: 'text', tokens: [{ value: 'Hi' }] }] },
      },
    })
    const path = `/v1/signatures/${made.body.data.id}`
    await app.post(`${path}/emails`, { email_ids: [email] })
    await app.post(`${path}/publish`)
    await workAll(app)
    const page = new URL((await app.get(`/v1/emails/${email}/personal_page`)).body.data.url).pathname
    expect((await app.get(page)).status).toBe(200)
    await changeSwitch(app.db, app.by, 'personal_page', false, app.parts.workspaces)
    await app.post(`${path}/publish`)
    await workAll(app)
    expect((await app.get(page)).status).toBe(404)
    expect((await app.get(`/v1/installations?email_id=${email}`)).body.data[0].status).toBe('uninstalled')
    expect((await app.get(`${path}/variants`)).body.supported).toBe(false)
    const variant = await app.patch(`${path}/variants/reply`, { variant: { activated: true } })
    expect([variant.status, variant.body.error.code, variant.body.remediation.action]).toEqual([
      409,
      'variants_unavailable',
      'connect_integration',
    ])
    for (const asked of [`${path}/install`, `/v1/emails/${email}/install`]) {
      const answer = await app.post(asked, {})
      expect([answer.status, answer.body.error.code]).toEqual([409, 'installation_unavailable'])
    }
  })
})
