import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { dashboardPaths } from '#dashboard/pages.ts'
import { recordCopy } from '#features/delivery/installations/index.ts'
import { changeSwitch } from '#features/workspace/workspaces/index.ts'
import type { Db } from '#kernel/db/db.ts'
import { queriesBy } from '#kernel/db/query-forms.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { runAllJobs } from '#test/support/jobs.ts'
import { stack, text, textWithField } from '#test/support/signatures.ts'
import { createPublished, createTeammate, fieldIds, publish, unknownId } from '#test/support/world.ts'

let app: TestApp
let firstName: string
beforeAll(async () => {
  app = await testApp()
  firstName = (await fieldIds(app)).first_name
})

const createNamed = (name = 'Ada') => createTeammate(app, { values: { [firstName]: name } })
const contentWith = (words: string) => stack(textWithField(words, firstName))
async function publishAndRender(words: string, emailId: string): Promise<string> {
  const id = await createPublished(app, { draft_content: contentWith(words) }, emailId)
  await runAllJobs(app)
  return id
}
async function republish(id: string, words: string) {
  await app.patch(`/v1/signatures/${id}`, { signature: { draft_content: contentWith(words) } })
  await publish(app, id)
}
const pathOf = async (emailId: string) =>
  new URL((await app.get(`/v1/emails/${emailId}/personal_page`)).body.data.url).pathname
const openPage = (path: string) => app.get(path, { key: null })
const reportCopy = async (path: string, version = '') =>
  (await app.post(`${path}/copied${version && `?version=${version}`}`, undefined, { key: null })).body.data
    .state
const installationOf = async (emailId: string, id: string) =>
  (await app.get(`/v1/installations?email_id=${emailId}&signature_template_id=${id}`)).body.data[0]
const versionIn = (text: string) => /"version":"([0-9a-f]{64})"/.exec(text)?.[1] ?? ''

describe('the address of a page', () => {
  it('is created on the first request, stays the same, and cannot be guessed', async () => {
    const [ada, bob] = [await createNamed(), await createNamed()]
    const { status, body } = await app.get(`/v1/emails/${ada.emailId}/personal_page`)
    expect([status, body.data]).toEqual([
      200,
      {
        email_id: ada.emailId,
        url: expect.any(String),
        created_at: expect.any(String),
        expires_at: null,
      },
    ])
    expect(body.data.url).toMatch(/^http:\/\/localhost:3000\/p\/[\w-]{22}\/[\w-]{22}$/)
    expect((await app.get(`/v1/emails/${ada.emailId.toUpperCase()}/personal_page`)).body).toEqual(body)
    expect(await pathOf(bob.emailId)).not.toBe(new URL(body.data.url).pathname)
    const entries = (await app.get(`/v1/audit_log?resource_id=${ada.emailId}`)).body.data
    expect(entries.map((entry: { action: string }) => entry.action)).toEqual(['email.personal_page_created'])
  })

  it('is the same for concurrent first requests', async () => {
    const { emailId } = await createNamed()
    const paths = await Promise.all(Array.from({ length: 8 }, () => pathOf(emailId)))
    expect(new Set(paths).size).toBe(1)
  })

  it('is replaced on request, with an audit entry; the old address answers 404', async () => {
    const { emailId } = await createNamed()
    const oldPath = await pathOf(emailId)
    const { status, body } = await app.post(`/v1/emails/${emailId}/personal_page/rotate`)
    const newPath = new URL(body.data.url).pathname
    expect([status, newPath === oldPath]).toEqual([200, false])
    expect(await pathOf(emailId)).toBe(newPath)
    expect((await openPage(newPath)).status).toBe(200)
    const oldPage = await openPage(oldPath)
    expect([oldPage.status, oldPage.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(oldPage.text).toContain('ask the person who sent it to you')
    expect((await app.post(`${oldPath}/copied`, undefined, { key: null })).status).toBe(404)
    const [entry] = (await app.get(`/v1/audit_log?resource_id=${emailId}`)).body.data
    expect(entry.action).toBe('email.personal_page_rotated')
  })

  it('can be rotated before the page exists', async () => {
    const { emailId } = await createNamed()
    const { body } = await app.post(`/v1/emails/${emailId}/personal_page/rotate`)
    expect(await pathOf(emailId)).toBe(new URL(body.data.url).pathname)
  })

  it('is 404 for an unknown or deleted email and for one of another workspace', async () => {
    const { id, emailId } = await createNamed()
    const path = await pathOf(emailId)
    const foreign = await app.get(`/v1/emails/${emailId}/personal_page`, { key: app.other.key })
    expect(foreign.status).toBe(404)
    await app.del(`/v1/teammates/${id}`)
    for (const id of [unknownId, emailId]) {
      expect((await app.get(`/v1/emails/${id}/personal_page`)).status).toBe(404)
      expect((await app.post(`/v1/emails/${id}/personal_page/rotate`)).status).toBe(404)
    }
    expect((await openPage(path)).status).toBe(404)
  })

  it('is 404 under another workspace or with any character changed', async () => {
    const { emailId } = await createNamed()
    const path = await pathOf(emailId)
    const [, , workspace = '', token = ''] = path.split('/')
    const otherWorkspace = Buffer.from(app.other.id.replaceAll('-', ''), 'hex').toString('base64url')
    for (const wrongPath of [
      `/p/${otherWorkspace}/${token}`,
      `/p/${workspace}/${token.slice(1)}`,
      `/p/${workspace}/${token}x`,
      `/p/${app.id}/${token}`,
      `/p/${workspace}/%00`,
      `/p/%ff/${token}`,
    ])
      expect((await openPage(wrongPath)).status, wrongPath).toBe(404)
    expect((await openPage(path)).status).toBe(200)
  })
})

describe('a page', () => {
  it('is private: headers forbid caching, framing, indexing and referrers, and allow one script', async () => {
    const { emailId } = await createNamed()
    const { headers } = await openPage(await pathOf(emailId))
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    })
    const policy = headers['content-security-policy']
    expect(policy).toContain("default-src 'none'; script-src 'sha256-")
    expect(policy).toContain("img-src 'self' http://localhost:3000 https: blob:;")
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  })

  it('says that there is no signature yet', async () => {
    const { emailId } = await createNamed()
    const path = await pathOf(emailId)
    const { text } = await openPage(path)
    expect(text).toContain('There is no signature for this address yet.')
    expect(text).not.toContain('<button')
    expect(await reportCopy(path)).toBe('none')
  })

  it('shows the state from the first copy to the next version', async () => {
    const { emailId } = await createNamed()
    const id = await publishAndRender('First', emailId)
    const path = await pathOf(emailId)
    expect((await openPage(path)).text).toContain('Your signature is ready.')
    expect((await installationOf(emailId, id)).status).toBe('pending')

    const version = versionIn((await openPage(path)).text)
    expect(await reportCopy(path, version)).toBe('current')
    const row = await installationOf(emailId, id)
    expect(row).toMatchObject({
      channel: 'personal_page',
      status: 'installed',
      html_sha256: version,
      installed_at: expect.any(String),
    })
    expect(await reportCopy(path)).toBe('current')
    expect(await installationOf(emailId, id)).toEqual(row)
    expect((await openPage(path)).text).toContain('You have the current signature.')

    await republish(id, 'Second')
    expect((await openPage(path)).text).toContain('An update is available.') // also before the jobs run
    await runAllJobs(app)
    expect((await installationOf(emailId, id)).status).toBe('pending')
    expect((await openPage(path)).text).toContain('An update is available.')
    expect(await reportCopy(path)).toBe('current')
    expect((await installationOf(emailId, id)).status).toBe('installed')
  })

  it('that was open while the signature changed records no installation', async () => {
    const { emailId } = await createNamed()
    const id = await publishAndRender('Old', emailId)
    const path = await pathOf(emailId)
    const version = versionIn((await openPage(path)).text)
    await republish(id, 'New')
    expect(await reportCopy(path, version)).toBe('outdated')
    expect((await installationOf(emailId, id)).status).toBe('pending')
    expect((await app.post(`${path}/copied?version=x`, undefined, { key: null })).status).toBe(422)
  })

  it('offers an update when another signature replaces the copied one', async () => {
    const { emailId } = await createNamed()
    const first = await publishAndRender('Before', emailId)
    const path = await pathOf(emailId)
    await reportCopy(path)
    await app.post(`/v1/signatures/${first}/deactivate`)
    await publishAndRender('After', emailId)
    const { text } = await openPage(path)
    expect(text).toContain('After Ada')
    expect(text).toContain('An update is available.')
  })

  it('shows the reply signature when it differs', async () => {
    const { emailId } = await createNamed()
    const id = await publishAndRender('Long', emailId)
    const path = await pathOf(emailId)
    expect((await openPage(path)).text).not.toContain('For replies')
    await app.patch(`/v1/signatures/${id}/variants/reply`, {
      variant: { draft_content: contentWith('Short'), activated: true },
    })
    await app.post(`/v1/signatures/${id}/variants/reply/publish`)
    const { text } = await openPage(path)
    expect(text).toContain('For replies')
    expect(text).toContain('Short Ada')
    await app.patch(`/v1/signatures/${id}/variants/reply`, { variant: { hidden: true } })
    expect((await openPage(path)).text).toContain('Replies carry no signature')
  })

  it('escapes markup in values', async () => {
    const { emailId } = await createNamed('</script><script>alert(1)</script><img src=x onerror=alert(1)>')
    await publishAndRender('Hi', emailId)
    const { text } = await openPage(await pathOf(emailId))
    expect(text).toContain('&lt;/script&gt;&lt;script&gt;alert(1)')
    expect(text).not.toMatch(/<script>alert|<img src=x/)
    expect(text.match(/<\/script>/g)).toHaveLength(2)
  })
})

describe('a copy', () => {
  it('is recorded before the reconcile job has created an installation', async () => {
    const { emailId } = await createNamed()
    const id = await createPublished(app, { draft_content: contentWith('x') }, emailId)
    expect(await installationOf(emailId, id)).toBeUndefined()
    expect(await reportCopy(await pathOf(emailId))).toBe('current')
    expect((await installationOf(emailId, id)).status).toBe('installed')
    await runAllJobs(app)
    expect((await installationOf(emailId, id)).status).toBe('installed')
  })

  it('does not count for a new version that is published while the copy is recorded', async () => {
    const { emailId } = await createNamed()
    const id = await publishAndRender('v1', emailId)
    let reconciling: Promise<void> | undefined
    const delayInsert = (db: Db): Db => ({
      transaction: (callback, isolation) => db.transaction(tx => callback(delayInsert(tx)), isolation),
      ...queriesBy(async statement => {
        if (!reconciling && statement.text.includes('insert into installations')) {
          await republish(id, 'v2')
          reconciling = runAllJobs(app)
          await sleep(300)
        }
        return db.query(statement)
      }),
    })
    await recordCopy(delayInsert(app.db), { workspaceId: app.id, ...app.parts.rendering }, emailId)
    await reconciling
    expect([reconciling !== undefined, (await installationOf(emailId, id)).status]).toEqual([true, 'pending'])
    expect((await openPage(await pathOf(emailId))).text).toContain('An update is available.')
  })
})

describe('a workspace without personal pages', () => {
  it('answers 404, has no variants, and installs only through connected integrations', async () => {
    const app = await testApp()
    const { emailId } = await createTeammate(app)
    const path = `/v1/signatures/${await createPublished(app, { draft_content: stack(text('Hi')) }, emailId)}`
    await runAllJobs(app)
    const page = new URL((await app.get(`/v1/emails/${emailId}/personal_page`)).body.data.url).pathname
    expect((await app.get(page)).status).toBe(200)
    await changeSwitch(app.db, app.by, 'personal_page', false, app.parts.workspaces)
    await app.post(`${path}/publish`)
    await runAllJobs(app)
    expect((await app.get(page)).status).toBe(404)
    expect((await app.get(`/v1/installations?email_id=${emailId}`)).body.data[0].status).toBe('uninstalled')
    expect((await app.get(`${path}/variants`)).body.supported).toBe(false)
    const variant = await app.patch(`${path}/variants/reply`, { variant: { activated: true } })
    expect([variant.status, variant.body.error.code, variant.body.remediation.action]).toEqual([
      409,
      'variants_unavailable',
      'connect_integration',
    ])
    for (const installPath of [`${path}/install`, `/v1/emails/${emailId}/install`]) {
      const answer = await app.post(installPath, {})
      expect([answer.status, answer.body.error.code]).toEqual([409, 'installation_unavailable'])
      const { origin, pathname } = new URL(answer.body.remediation.dashboard_url)
      expect([origin, pathname]).toEqual([app.config.publicUrl, '/integrations'])
      expect(dashboardPaths).toContain(pathname)
    }
  })
})
