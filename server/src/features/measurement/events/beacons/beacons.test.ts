import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { afterFile } from '#test/support/after-file.ts'
import { fieldErrors, type RequestOptions, type TestApp, testApp } from '#test/support/app.ts'
import { openBrowser } from '#test/support/browser/browser.ts'

const browserAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'

let app: TestApp
let site: string
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_TRUSTED_PROXIES: '127.0.0.1' } })
  site = (await app.get('/v1/workspace')).body.data.event_tracking.id
})

const beacon = (body: unknown, sent: RequestOptions = {}) =>
  app.call('POST', '/tracking/events', {
    key: null,
    payload: JSON.stringify(body),
    ...sent,
    headers: { 'content-type': 'text/plain', 'user-agent': browserAgent, ...sent.headers },
  })

interface Row {
  readonly name: string
  readonly outcome: string
  readonly click_id: string | null
  readonly distinct_id: string | null
  readonly anonymous_id: string | null
  readonly value: string | null
  readonly properties: object | null
}
const recorded = (name: string) =>
  app.db.query<Row>(
    sql`select * from event_tail where workspace_id = ${app.id} and name = ${name} order by id`,
  )

const traitsOf = async (visitor: string) => {
  const [row] = await app.db.query<{ traits: object }>(
    sql`select traits from visitor_traits where workspace_id = ${app.id} and distinct_id = ${visitor}`,
  )
  return row?.traits
}

describe('a beacon', () => {
  it('is accepted as text or JSON from any origin, without credentials', async () => {
    const body = { site, events: [{ name: 'Seen', properties: { page: '/' } }, { name: 'Seen' }] }
    const text = await beacon(body, {
      headers: { 'content-type': 'text/plain;charset=UTF-8', origin: 'https://a.example' },
    })
    const json = await beacon(body, { headers: { 'content-type': 'application/json' } })
    expect([text.status, text.body, json.status]).toEqual([202, { data: { accepted: 2, rejected: 0 } }, 202])
    expect(text.headers['access-control-allow-origin']).toBe('*')
    expect(text.headers['access-control-allow-credentials']).toBeUndefined()
    expect((await recorded('Seen')).length).toBe(4)
    const xml = await beacon(body, { headers: { 'content-type': 'application/xml' } })
    expect([xml.status, xml.body.error.message]).toEqual([
      415,
      'Send the body as `Content-Type: text/plain` or `Content-Type: application/json`.',
    ])
  })

  it('is allowed in the answer to a preflight request', async () => {
    const preflight = await app.call('OPTIONS', '/tracking/events', { key: null })
    expect([preflight.status, preflight.text]).toEqual([204, ''])
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type',
    })
    expect((await app.call('OPTIONS', '/v1/folders', { key: null })).status).toBe(405)
  })

  it('of an unknown site is 404, and of a site with tracking switched off is dropped', async () => {
    const unknown = await beacon({ site: crypto.randomUUID(), events: [{ name: 'Lost' }] })
    expect([unknown.status, unknown.headers['access-control-allow-origin']]).toEqual([404, '*'])
    const { key, id } = await app.workspace('Quiet')
    const quiet = (await app.get('/v1/workspace', { key })).body.data.event_tracking.id
    await app.db.query(sql`update workspaces set tracking_enabled = false where id = ${id}`)
    const dropped = await beacon({ site: quiet, events: [{ name: 'Dropped' }] })
    expect([dropped.status, dropped.body]).toEqual([202, { data: { accepted: 0, rejected: 0 } }])
    expect(await app.db.query(sql`select from event_tail where workspace_id = ${id}`)).toEqual([])
    await app.db.query(sql`update workspaces set tracking_enabled = true where id = ${id}`)
    const isTaken = async () =>
      (await beacon({ site: quiet, events: [{ name: 'Taken' }] })).body.data.accepted === 1
    await expect.poll(isTaken, { interval: 100 }).toBe(true)
  })

  it('does not suppress an event of the API with the same event_id', async () => {
    const event = { name: 'Paid', event_id: 'order-7' }
    await beacon({ site, events: [event] }, { headers: { 'user-agent': 'Googlebot/2.1' } })
    await beacon({ site, events: [event, event] })
    await beacon({ site, events: [event] })
    await app.post('/v1/analytics/events', { event: { ...event, value: 9 } })
    await app.post('/v1/analytics/events', { event: { ...event, value: 9 } })
    expect((await recorded('Paid')).map(row => [row.outcome, row.value])).toEqual([
      ['bot', null],
      ['counted', null],
      ['counted', '9'],
    ])
  })

  it('changes neither identities nor traits that the API has set', async () => {
    const submit = (event: object) => app.post('/v1/analytics/events', { event: { name: 'Known', ...event } })
    await submit({ anonymous_id: 'v-9', user_id: 'u-9', traits: { plan: 'pro' } })
    await beacon({
      site,
      events: [
        { name: 'Claimed', anonymous_id: 'v-9', user_id: 'u-10', traits: { plan: 'free' } },
        { name: 'Claimed', user_id: 'u-9', traits: { plan: 'free', colour: 'red' } },
        { name: 'Claimed', user_id: 'u-9', traits: { colour: 'blue' } },
        { name: 'Then', anonymous_id: 'v-9' },
      ],
    })
    expect(await recorded('Then')).toMatchObject([{ distinct_id: 'u-9' }])
    expect(await traitsOf('u-9')).toEqual({ plan: 'pro', colour: 'blue' })
    await submit({ anonymous_id: 'v-9', user_id: 'u-11' })
    await beacon({ site, events: [{ name: 'Last', anonymous_id: 'v-9' }] })
    expect(await recorded('Last')).toMatchObject([{ distinct_id: 'u-11' }])
  })

  it('that identifies a visitor moves the traits of the anonymous visitor to the user', async () => {
    await beacon({ site, events: [{ name: 'A', anonymous_id: 'v-20', traits: { plan: 'free', seen: 1 } }] })
    await app.post('/v1/analytics/events', { event: { name: 'B', user_id: 'u-20', traits: { plan: 'pro' } } })
    await beacon({
      site,
      events: [
        { name: 'A', anonymous_id: 'v-20', traits: { seen: 2 } },
        { name: 'A', anonymous_id: 'v-20', user_id: 'u-20', traits: { city: 'Porto' } },
      ],
    })
    expect(await traitsOf('u-20')).toEqual({ plan: 'pro', seen: 2, city: 'Porto' })
    expect(await traitsOf('v-20')).toBeUndefined()
  })

  it('keeps its valid events, and counts the others', async () => {
    const wrong = [
      { name: '$click' },
      { name: 'Wrong', currency: 'ZZZ', colour: 1 },
      { name: 'Wrong', value: 1e16 },
      { name: 'Wrong', properties: { a: 'x'.repeat(8 * 1024) } },
      { name: 'Wrong\0' },
      { name: 'Wrong', traits: { plan: '\ud800' } },
      { name: ' ' },
      'Wrong',
      null,
      [],
    ]
    const fine = [{ name: 'Fine', value: 1e15 }, { name: 'Fine' }]
    const mixed = await beacon({ site, events: [fine[0], ...wrong, fine[1]] })
    expect([mixed.status, mixed.body]).toEqual([202, { data: { accepted: 2, rejected: 10 } }])
    expect((await recorded('Fine')).map(row => row.value)).toEqual(['1000000000000000', null])
    const payload = `{"site":"${site}","events":[{"name":"Endless","value":1e999},{"name":"Endless"}]}`
    expect((await beacon(null, { payload })).body).toEqual({ data: { accepted: 1, rejected: 1 } })
    const none = await beacon({ site, events: wrong })
    expect([none.status, none.body]).toEqual([202, { data: { accepted: 0, rejected: 10 } }])
    expect(await recorded('Wrong')).toEqual([])
  })

  it('that is no list of events is refused', async () => {
    expect(fieldErrors(await beacon({ site: 'x\0', events: [{}] }))).toEqual({ site: 'invalid' })
    expect(fieldErrors(await beacon({ site, events: {} }))).toEqual({ events: 'invalid_type' })
    expect(fieldErrors(await beacon({ site, events: [] }))).toEqual({ events: 'too_short' })
    const many = Array.from({ length: 101 }, () => ({ name: 'x' }))
    expect(fieldErrors(await beacon({ site, events: many }))).toEqual({ events: 'too_many' })
    expect((await beacon({ site, events: [{ name: 'x'.repeat(65_536) }] })).status).toBe(413)
  })

  it('of a bot is recorded, but not counted', async () => {
    await beacon({ site, events: [{ name: 'Crawled' }] }, { headers: { 'user-agent': 'Googlebot/2.1' } })
    expect(await recorded('Crawled')).toMatchObject([{ outcome: 'bot' }])
  })

  it('is limited per client address', async () => {
    const from = (address: string) =>
      beacon({ site, events: [{ name: 'Flood' }] }, { headers: { 'x-forwarded-for': address } })
    const answers = await Promise.all(Array.from({ length: 201 }, () => from('203.0.113.7')))
    const refused = answers.filter(answer => answer.status === 429)
    expect(refused.length).toBe(1)
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await from('203.0.113.8')).status).toBe(202)
    expect((await from('203.0.113.7:49152')).status).toBe(429)
  })
})

describe('signoff.js', () => {
  it('is small, and cached', async () => {
    const first = await app.get('/signoff.js', { key: null })
    expect([first.status, first.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(first.bytes.length).toBeLessThan(3 * 1024)
    const headers = { 'if-none-match': first.headers.etag ?? '' }
    expect((await app.get('/signoff.js', { key: null, headers })).status).toBe(304)
  })
})

describe('signoff.js in a browser', () => {
  let visit: (query: string, attributes?: string) => Promise<Page>
  const contexts: BrowserContext[] = []
  let shopUrl = ''

  beforeAll(async () => {
    // The service and a shop, at different origins.
    const service = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', async () => {
        const headers = request.headers as Record<string, string>
        // A headless browser says so in its user agent, and would be taken for a bot.
        const agent = (headers['user-agent'] ?? '').replace('HeadlessChrome', 'Chrome')
        const sent = {
          key: null,
          payload: Buffer.concat(chunks),
          headers: { ...headers, 'user-agent': agent },
        }
        const answer = await app.call(request.method ?? '', request.url ?? '', sent)
        response.writeHead(answer.status, answer.headers).end(answer.bytes)
      })
    }).listen(0, '127.0.0.1')
    await once(service, 'listening')
    const serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
    const shop = createServer((request, response) => {
      const attributes = new URL(request.url ?? '', 'http://x').searchParams.get('attributes') ?? ''
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        `<!doctype html><script src="${serviceUrl}/signoff.js" data-site="${site}" ${attributes}></script><h1>Shop`,
      )
    }).listen(0, '127.0.0.1')
    await once(shop, 'listening')
    shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}`
    afterFile(() => {
      service.close()
      shop.close()
    })
    const browser = await openBrowser()
    visit = async (query, attributes = '') => {
      const context = await browser.newContext()
      contexts.push(context)
      const page = await context.newPage()
      await page.goto(`${shopUrl}/?${query}&attributes=${encodeURIComponent(attributes)}`)
      return page
    }
  })
  afterAll(() => Promise.all(contexts.map(context => context.close())))

  const cookies = async (page: Page) =>
    Object.fromEntries((await page.context().cookies()).map(cookie => [cookie.name, cookie]))
  const click = '0190a1b2-0000-7000-8000-000000000001'

  it('remembers the click for 30 days, and reports what happens', async () => {
    const page = await visit(`signoff_click_id=${click}`)
    await expect.poll(async () => Object.keys(await cookies(page)).length).toBe(2)
    const stored = await cookies(page)
    expect(stored.signoff_click_id).toMatchObject({ value: click, sameSite: 'Lax', secure: false, path: '/' })
    const days = ((stored.signoff_click_id?.expires ?? 0) - Date.now() / 1000) / 86_400
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThan(30.1)
    await page.goto(`${shopUrl}/?later`)
    await page.evaluate(`signoff.track('Bought', { value: 9.5, currency: 'EUR', item: 'tea' })`)
    await expect
      .poll(() => recorded('Bought'))
      .toMatchObject([
        {
          outcome: 'counted',
          click_id: click,
          value: '9.5',
          properties: { item: 'tea' },
          anonymous_id: stored.signoff_visitor?.value,
          distinct_id: stored.signoff_visitor?.value,
        },
      ])
  })

  it('identifies a visitor', async () => {
    const page = await visit('')
    await page.evaluate(`signoff.identify('u-7', { plan: 'pro' })`)
    await expect.poll(() => traitsOf('u-7')).toEqual({ plan: 'pro' })
    expect([...(await recorded('$identify')), ...(await recorded('identify'))]).toEqual([])
    await page.goto(`${shopUrl}/?later`)
    await page.evaluate(`signoff.track('Back')`)
    await expect.poll(() => recorded('Back')).toMatchObject([{ distinct_id: 'u-7' }])
    const [traits] = await app.db.query(sql`
      select traits from visitor_traits where workspace_id = ${app.id} and distinct_id = 'u-7'`)
    expect(traits).toEqual({ traits: { plan: 'pro' } })
  })

  it('ignores invalid ids, and breaks no page', async () => {
    const page = await visit(`signoff_click_id=${'x'.repeat(300)}`)
    expect((await cookies(page)).signoff_click_id).toBeUndefined()
    await page.evaluate(`document.cookie = 'signoff_click_id=%E0%A4%A'`)
    await page.goto(`${shopUrl}/?later`)
    await page.evaluate(`signoff.identify(undefined); signoff.identify(null); signoff.identify('')`)
    await page.evaluate(`signoff.track('Anonymous', null)`)
    await expect.poll(() => recorded('Anonymous')).toMatchObject([{ click_id: null, properties: {} }])
    const [anonymous] = await recorded('Anonymous')
    expect(anonymous?.distinct_id).toBe(anonymous?.anonymous_id)
    const copied = await visit(
      `signoff_click_id=0190a1b2-0000-7000-8000-00000000000f&signoff_click_id=${click}`,
    )
    await expect.poll(async () => (await cookies(copied)).signoff_click_id?.value).toBe(click)
  })

  it('reads the click id from the parameter of the workspace, or from a known one', async () => {
    const storedAfter = async (query: string) =>
      (await cookies(await visit(query, 'data-click-parameter="from"'))).signoff_click_id?.value
    expect(await storedAfter(`from=${click}&signoff_click_id=older`)).toBe(click)
    expect(await storedAfter(`signoff_click_id=${click}&scribe_click_id=older`)).toBe(click)
    expect(await storedAfter('scribe_click_id=Scribe.1_a-b~c')).toBe('Scribe.1_a-b~c')
  })

  it('stores and sends nothing before consent, and deletes its cookies when consent is withdrawn', async () => {
    const page = await visit(`signoff_click_id=${click}`, 'data-consent="required"')
    await page.evaluate(`signoff.track('Too early')`)
    expect(await cookies(page)).toEqual({})
    await page.evaluate(`signoff.consent(true); signoff.track('Allowed')`)
    await expect
      .poll(async () => Object.keys(await cookies(page)).sort())
      .toEqual(['signoff_click_id', 'signoff_visitor'])
    await expect.poll(() => recorded('Allowed')).toMatchObject([{ click_id: click }])
    await page.evaluate(`signoff.consent(false); signoff.track('Too late')`)
    await expect.poll(() => cookies(page)).toEqual({})
    await page.evaluate(`signoff.consent(true); signoff.track('Again')`)
    await expect.poll(async () => (await recorded('Again')).length).toBe(1)
    expect([...(await recorded('Too early')), ...(await recorded('Too late'))]).toEqual([])
  })

  it('falls back to fetch when sendBeacon fails', async () => {
    const page = await visit('')
    await page.evaluate(`navigator.sendBeacon = () => false; signoff.track('Fetched')`)
    await expect.poll(async () => (await recorded('Fetched')).length).toBe(1)
  })
})
