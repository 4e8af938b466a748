import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { waitUntilRecorded } from '#test/support/events.ts'
import { createSignature, stack } from '#test/support/signatures.ts'
import { assign, createTeammate, publish, startCampaign } from '#test/support/world.ts'

const key = () => randomBytes(32).toString('base64')
const [oldKey, newKey] = [key(), key()]
const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0'

let app: TestApp
let signatureId: string
beforeAll(async () => {
  app = await testApp({
    env: { SIGNOFF_PUBLIC_URL: 'https://sign.example.com', SIGNOFF_SECRET_KEYS: oldKey },
  })
  const content = stack(link('site', 'https://example.com/'), { type: 'marketing' })
  const { body } = await createSignature(app, { draft_content: content })
  signatureId = body.data.id
  await publish(app, signatureId)
})

const link = (id: string, url: string) => ({
  type: 'text',
  tokens: [{ id, value: id, href: { text: url } }],
})

async function createRecipient(): Promise<string> {
  const { emailId } = await createTeammate(app)
  await assign(app, signatureId, emailId)
  return emailId
}

async function addressesOf(emailId: string, on = app) {
  const { body } = await on.get(`/v1/signatures/${signatureId}/html?email_id=${emailId}`, { key: app.key })
  const paths = [...body.data.html.matchAll(/https:\/\/sign\.example\.com(\/[oc]\/[\w-]{36})/g)]
  const all = paths.map(([, path = '']) => path)
  return {
    links: all.filter(path => path.startsWith('/c/')),
    pixel: all.find(path => path.startsWith('/o/')) ?? '',
  }
}

const request = (path: string | undefined, on = app) =>
  on.get(path ?? '', { key: null, headers: { 'user-agent': agent } })
async function eventsOf(emailId: string, on = app) {
  await waitUntilRecorded(on)
  return app.db.query<{ name: string; anchor_id: string; campaign_id: string; campaign_variant: string }>(
    sql`select * from event_tail where workspace_id = ${app.id} and email_id = ${emailId} order by id`,
  )
}
const withoutClickId = (location: string | undefined) => location?.replace(/[?&]signoff_click_id=.*/, '')

/** The cached target is used a little longer on a busy machine, so the request is repeated. */
const soon = (load: () => Promise<unknown>) => expect.poll(load, { interval: 100 })

describe('a banner', () => {
  it('is in the tokens of the pixel and of its own links, and in no other token', async () => {
    const emailId = await createRecipient()
    const path = await startCampaign(app, { content: stack(link('fair', 'https://example.com/fair')) })
    const id = path.split('/').at(-1)
    const { links, pixel } = await addressesOf(emailId)
    expect(withoutClickId((await request(links[0])).headers.location)).toBe('https://example.com/')
    expect(withoutClickId((await request(links[1])).headers.location)).toBe('https://example.com/fair')
    await request(pixel)
    expect((await eventsOf(emailId)).map(event => [event.name, event.anchor_id, event.campaign_id])).toEqual([
      ['$click', 'site', null],
      ['$click', 'fair', id],
      ['$view', null, id],
    ])
    await app.patch(path, { marketing_campaign: { content: stack(link('fair', 'https://example.com/new')) } })
    await soon(async () => withoutClickId((await request(links[1])).headers.location)).toBe(
      'https://example.com/new',
    )
    await app.post(`${path}/pause`)
    expect((await addressesOf(emailId)).pixel).not.toBe(pixel)
    await app.del(path)
    // The target at the time the mail was sent.
    await soon(async () => withoutClickId((await request(links[1])).headers.location)).toBe(
      'https://example.com/fair',
    )
    expect((await eventsOf(emailId)).at(-1)).toMatchObject({ campaign_id: id })
  })

  it('of an A/B test is recorded with its variant', async () => {
    const contents = ['a', 'b'].map(name => ({
      name,
      weight: 1,
      content: stack(link(`to-${name}`, `https://example.com/${name}`)),
    }))
    const path = await startCampaign(app, { variants: contents })
    const { body } = await app.get(path)
    const ids = Object.fromEntries(
      body.data.variants.map(({ id, name }: { id: string; name: string }) => [name, id]),
    )
    const seen = new Set<string>()
    for (let tries = 0; tries < 60 && seen.size < 2; tries++) {
      const emailId = await createRecipient()
      const { links } = await addressesOf(emailId)
      const name = (await request(links[1])).headers.location?.slice(20, 21) ?? ''
      seen.add(name)
      expect(await eventsOf(emailId)).toMatchObject([
        { anchor_id: `to-${name}`, campaign_id: path.split('/').at(-1), campaign_variant: ids[name] },
      ])
    }
    expect([...seen].sort()).toEqual(['a', 'b'])
    await app.post(`${path}/pause`)
  })
})

describe('a new key', () => {
  it('makes new addresses; the old addresses work as long as their key is configured', async () => {
    const emailId = await createRecipient()
    const before = await addressesOf(emailId)
    const env = { SIGNOFF_PUBLIC_URL: 'https://sign.example.com' }
    const { connection } = app
    const withBothKeys = await testApp({
      connection,
      env: { ...env, SIGNOFF_SECRET_KEYS: `${newKey},${oldKey}` },
    })
    const after = await addressesOf(emailId, withBothKeys)
    expect(after.pixel).not.toBe(before.pixel)
    for (const path of [before.pixel, after.pixel])
      expect((await request(path, withBothKeys)).status).toBe(200)
    expect(withoutClickId((await request(before.links[0], withBothKeys)).headers.location)).toBe(
      'https://example.com/',
    )
    const withoutOldKey = await testApp({ connection, env: { ...env, SIGNOFF_SECRET_KEYS: newKey } })
    expect((await request(before.pixel, withoutOldKey)).status).toBe(404)
    expect((await request(after.pixel, withoutOldKey)).status).toBe(200)
  })
})

describe('SIGNOFF_SAME_VIEW_SECONDS', () => {
  it('makes repeated requests of a client for a pixel count as one view', async () => {
    const deduplicating = await testApp({
      connection: app.connection,
      env: {
        SIGNOFF_PUBLIC_URL: 'https://sign.example.com',
        SIGNOFF_SECRET_KEYS: oldKey,
        SIGNOFF_SAME_VIEW_SECONDS: '60',
      },
    })
    const emailId = await createRecipient()
    const { pixel } = await addressesOf(emailId)
    for (let times = 0; times < 3; times++) expect((await request(pixel, deduplicating)).status).toBe(200)
    await deduplicating.get(pixel, { key: null, headers: { 'user-agent': `${agent} other` } })
    expect(await eventsOf(emailId, deduplicating)).toHaveLength(2)
    expect(await deduplicating.metrics()).toContain(
      'signoff_tracking_total{kind="view",outcome="duplicate"} 2',
    )
  })
})
