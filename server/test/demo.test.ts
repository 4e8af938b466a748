// What a newcomer sees first: the signatures of the demo.
import { beforeAll, describe, expect, it } from 'vitest'
import { demoLinks, demoOwnerLink, demoSignIns, fillDemo } from '#demo/index.ts'
import { createSetupLink } from '#features/access/access/index.ts'
import { type TestApp, testApp } from './support/app.ts'
import { demoApp } from './support/demo.ts'
import { createSignature } from './support/signatures.ts'

let app: TestApp
let setUpLink: string
beforeAll(async () => {
  app = await testApp()
  // A signature that reaches all people and comes first, as after the tutorial.
  const { body } = await createSignature(app, { template_id: 'minimal-stack', priority: 0 })
  await app.call('PUT', `/v1/signatures/${body.data.id}/recipient_rules`, { body: { everybody: true } })
  await app.post(`/v1/signatures/${body.data.id}/publish`)
  await app.patch('/v1/workspace', { name: 'My company' })
  setUpLink = (await createSetupLink(app.db, app.config.publicUrl, app.parts.secondFactors)) ?? ''
  await fillDemo(app.db, app.by, app.parts)
})

const listOf = async (path: string) => (await app.get(`${path}?limit=100`)).body.data
const emailIdOf = async (address: string): Promise<string> => {
  const emails = await listOf('/v1/emails')
  return emails.find((email: { address: string }) => email.address === `${address}@northbean.example`).id
}
const signatureOf = async (name: string) =>
  (await listOf('/v1/signatures')).find((signature: { name: string }) => signature.name === name)
const previewOf = async (name: string, address: string): Promise<string> => {
  const { id } = await signatureOf(name)
  const path = `/v1/signatures/${id}/preview?email_id=${await emailIdOf(address)}`
  return (await app.get(path)).body.data.html
}

describe('the demo', () => {
  it('names a workspace that has no name of its own after the company', async () => {
    const name = async () => (await app.get('/v1/workspace')).body.data.name
    expect(await name()).toBe('Northbean Coffee Ltd')
    await app.patch('/v1/workspace', { name: 'Harbour Beans' })
    await fillDemo(app.db, app.by, app.parts)
    expect(await name()).toBe('Harbour Beans')
  })

  it('gives four kinds of people four signatures, with portraits, a logo and a banner', async () => {
    const [standard, sales, heads, marketing] = await Promise.all([
      previewOf('Northbean standard', 'amara.okafor'),
      previewOf('Sales with booking link', 'ada.moreno'),
      previewOf('Heads of department', 'chloe.bernard'),
      previewOf('Marketing with campaign', 'aiko.tanaka'),
    ])
    for (const html of [standard, sales, heads]) expect(html).toContain('alt="Portrait"')
    for (const html of [heads, marketing]) expect(html).toContain('alt="Company logo"')
    for (const html of [standard, sales, heads, marketing]) expect(html).toContain('order samples"')
    expect(sales).toContain('https://calendar.example.com/ada-moreno')
  })

  it('shows each person the signature of the department', async () => {
    const chosen = async (address: string) => {
      const { body } = await app.get(`/v1/emails/${await emailIdOf(address)}/signature`)
      return body.data.candidates.find((candidate: { chosen: boolean }) => candidate.chosen).name
    }
    expect(
      await Promise.all(['amara.okafor', 'ada.moreno', 'chloe.bernard', 'aiko.tanaka'].map(chosen)),
    ).toEqual([
      'Northbean standard',
      'Sales with booking link',
      'Heads of department',
      'Marketing with campaign',
    ])
  })

  it('links a personal page for each of its live signatures, and says why when there is none', async () => {
    const links = await demoLinks(app.db, app.by, app.parts)
    expect(links).toHaveLength(5)
    for (const link of links.slice(0, 4)) expect(link).toMatch(/@northbean\.example: {2}http\S+\/p\/\S+$/)
    const { id } = await signatureOf('Heads of department')
    await app.post(`/v1/signatures/${id}/deactivate`)
    const without = await demoLinks(app.db, app.by, app.parts)
    expect(without.filter(link => link.includes('Heads of department'))).toEqual([
      expect.stringContaining('no page, because'),
    ])
    await app.post(`/v1/signatures/${id}/publish`)
  })

  it('records clicks on links of its signatures, which the numbers name', async () => {
    const { data } = (await app.get('/v1/analytics/breakdown?dimension=anchor&limit=100')).body
    const labels = data.map(({ label }: { label: string }) => label)
    expect(labels).toEqual(expect.arrayContaining(['Campaign banner', 'Book a meeting', 'LinkedIn']))
    for (const { id, label } of data) expect(label).not.toBe(id)
  })

  it('has no problems in its live signatures beside missing values and an address that only this machine reaches', async () => {
    for (const { id, signature_installation_activated } of await listOf('/v1/signatures')) {
      const { problems } = (await app.get(`/v1/signatures/${id}/check`)).body.data
      const codes = problems.map((problem: { code: string }) => problem.code)
      expect(['missing_values', 'unreachable_address']).toEqual(expect.arrayContaining(codes))
      expect(signature_installation_activated).toBe(id !== (await signatureOf('Winter redesign')).id)
    }
  })

  it('has a reply and an internal variant of the standard signature, both active', async () => {
    const { id } = await signatureOf('Northbean standard')
    const variants = (await app.get(`/v1/signatures/${id}/variants`)).body.data
    expect(variants).toEqual([
      expect.objectContaining({ kind: 'reply', activated: true, last_published_at: expect.any(String) }),
      expect.objectContaining({ kind: 'internal', activated: true, last_published_at: expect.any(String) }),
    ])
  })

  it('has something to show on every page, and adds nothing the second time', async () => {
    const counts = async () => {
      const sums: Record<string, number> = {}
      for (const path of [
        'marketing_campaigns?status=ended',
        'marketing_campaigns?status=active',
        'marketing_campaigns?status=scheduled',
        'installations?status=failed',
        'installations?status=pending',
        'installations?status=installed',
        'webhooks?',
        'webhook_deliveries?state=failed',
        'webhook_deliveries?state=delivered',
        'publication_requests?status=pending',
        'publication_requests?status=rejected',
        'members?',
        'financial_documents?',
      ])
        sums[path] = (await app.get(`/v1/${path}&limit=1`)).body.pagination.total_count
      return sums
    }
    const before = await counts()
    for (const [path, count] of Object.entries(before)) expect(count, path).toBeGreaterThan(0)
    await fillDemo(app.db, app.by, app.parts)
    expect(await counts()).toEqual(before)
    const month = new Date(Date.now() - 35 * 24 * 3600_000).toISOString()
    const log = (await app.get(`/v1/audit_log?until=${month}&limit=100`)).body.data
    expect(new Set(log.map((entry: { member_name: string }) => entry.member_name)).size).toBe(3)
  })

  it('ends with a link that signs in as the owner in a browser that is not known', async () => {
    const link = new URL((await demoOwnerLink(app.db, app.by, app.parts)) ?? '')
    const opened = await app.get(link.pathname, { key: null })
    expect([opened.status, opened.headers.location]).toEqual([303, '/sign-in/workspace?return_to=%2F'])
    const cookie = String(opened.headers['set-cookie']).match(/signoff=[^;]+/)?.[0] ?? ''
    const me = await app.get('/v1/me', { key: null, headers: { cookie } })
    expect(me.body.data.member.role).toBe('owner')
    expect((await app.get(link.pathname, { key: null })).headers.location).toBe('/sign-in?problem=used_link')
  })

  it('has people with three roles to sign in as, whose passwords no other installation has', async () => {
    const signIns = await demoSignIns(app.db, app.by, app.parts)
    expect(signIns.map(({ role }) => role)).toEqual(['owner', 'admin', 'manager', 'member'])
    const colleagues = signIns.slice(1)
    for (const { role, email, password } of colleagues) {
      const signedIn = await app.post('/auth/password', { email, password }, { key: null })
      expect(signedIn.status, role).toBe(204)
      const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
      const me = await app.get('/v1/me', { key: null, headers: { cookie } })
      expect(me.body.data).toMatchObject({ account: { email }, member: { role } })
    }
    await fillDemo(app.db, app.by, app.parts)
    expect(await demoSignIns(app.db, app.by, app.parts)).toEqual(signIns)
    const other = await demoApp()
    const passwords = (await demoSignIns(other.db, other.by, other.parts)).map(({ password }) => password)
    for (const { password } of colleagues) expect(passwords).not.toContain(password)
  })

  it('leaves the set-up link of an owner who has no password alone', async () => {
    const [owner] = await demoSignIns(app.db, app.by, app.parts)
    expect(owner).toEqual({
      role: 'owner',
      email: 'owner@example.com',
      password: null,
      linkCommand: 'npx signoff setup-link',
    })
    const setUp = { token: setUpLink.split('#')[1], name: 'Ada', password: 'seven green bicycles' }
    expect((await app.post('/auth/setup', setUp, { key: null })).status).toBe(204)
    const [after] = await demoSignIns(app.db, app.by, app.parts)
    expect(after).toMatchObject({ password: null, linkCommand: null })
  })
})
