// @module-tag random
import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import fc from 'fast-check'
import { pino } from 'pino'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { renderFor } from '#features/delivery/installations/assignments.ts'
import { changeClickParameter, changeSwitch } from '#features/workspace/workspaces/index.ts'
import { tokenKeyBytes } from '#kernel/base/sealed-tokens.ts'
import { sql } from '#kernel/db/db.ts'
import { createVault } from '#platform/secrets.ts'
import { type Answer, type TestApp, testApp } from '#test/support/app.ts'
import { waitUntilRecorded } from '#test/support/events.ts'
import { solidPicture, upload } from '#test/support/pictures.ts'
import { runs } from '#test/support/runs.ts'
import {
  createPublished,
  createTeammate,
  type FieldIds,
  fieldIds,
  publish,
  setValues,
} from '#test/support/world.ts'
import { createTracking, type Tracking } from './index.ts'
import { createTokens, keyContext } from './token.ts'

const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'

let app: TestApp
let tracking: Tracking
let fields: FieldIds
const lines: string[] = []
const log = pino(
  { level: 'debug' },
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  }),
)
beforeAll(async () => {
  const SIGNOFF_PUBLIC_URL = 'https://sign.example.com'
  app = await testApp({ env: { SIGNOFF_PUBLIC_URL, SIGNOFF_TRUSTED_PROXIES: '127.0.0.1' }, log })
  tracking = createTracking({ publicUrl: SIGNOFF_PUBLIC_URL, keys: createVault(app.config) })
  fields = await fieldIds(app)
})

const content = (website = 'https://example.com/shop?a=1#top') => ({
  type: 'stack',
  children: [
    {
      id: 'button',
      type: 'button',
      tokens: [{ value: 'Shop' }],
      href: {
        text: website,
        queryParams: [{ key: 'by', values: [{ smartFieldUuid: fields.first_name }] }],
      },
    },
    {
      type: 'text',
      tokens: [{ id: 'meet', value: 'Meet me', href: { smartFieldUuid: fields.calendar_link } }],
    },
    { type: 'text', tokens: [{ id: 'mail', smartFieldUuid: fields.email }] },
    {
      id: 'site',
      type: 'icon',
      name: 'globe',
      href: { text: 'https://www.example.com/' },
    },
  ],
})

let people = 0
/** Creates a teammate with a published signature. */
async function createPerson(tree: object = content()) {
  people += 1
  const n = people
  const { id, emailId } = await createTeammate(app, {
    email: `p${n}@example.com`,
    values: { [fields.first_name]: `Ada ${n}`, [fields.calendar_link]: `https://cal.example.com/${n}` },
  })
  const signatureId = await createPublished(app, { draft_content: tree }, emailId)
  return { n, teammateId: id, emailId, signatureId }
}
type SignaturePerson = Awaited<ReturnType<typeof createPerson>>

async function htmlOf({ emailId }: Pick<SignaturePerson, 'emailId'>): Promise<string> {
  const context = { ...app.parts.rendering, workspaceId: app.id, tracking }
  return (await renderFor(app.db, context, [emailId])).get(emailId)?.html ?? ''
}

/** The paths of a person's pixel and links, in order. */
async function addressesOf(person: Pick<SignaturePerson, 'emailId'>) {
  const html = await htmlOf(person)
  const paths = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, path = '']) => path)
  const [pixel = ''] = paths(/src="https:\/\/sign\.example\.com(\/o\/[^"]+)"/g)
  return { html, pixel, links: paths(/href="https:\/\/sign\.example\.com(\/c\/[^"]+)"/g) }
}

const request = (
  path: string,
  { method = 'GET', ip = '81.2.69.142', agent = safari, ...headers }: Record<string, string> = {},
): Promise<Answer> =>
  app.call(method, path, {
    key: null,
    headers: { 'user-agent': agent, 'x-forwarded-for': ip, ...headers },
  })

const storedEvents = (person: { readonly emailId: string }) =>
  app.db.query<Record<string, unknown>>(
    sql`select * from event_tail where workspace_id = ${app.id} and email_id = ${person.emailId} order by recorded_at, id`,
  )

async function eventsOf(person: { readonly emailId: string }) {
  await waitUntilRecorded(app)
  return storedEvents(person)
}

/** The target of the redirect, without the click id. */
const targetOf = ({ headers }: Answer) => headers.location?.replace(/[?&]signoff_click_id=[0-9a-f-]{36}/, '')

/** Longer than the cache stays fresh. */
const cacheExpiry = () => new Promise(done => setTimeout(done, 1_100))

/** Repeats the request until it matches: on a busy machine the cached value is used a little longer. */
const soon = (load: () => Promise<unknown>) => expect.poll(load, { interval: 100 })

/** Changes a switch, and waits until the cache has the new value. */
async function switchTo(name: 'click_id' | 'tracking', on: boolean): Promise<void> {
  const [link = ''] = (await addressesOf(await createPerson())).links
  const hasClickId = async () => (await request(link)).headers.location?.includes('signoff_click_id')
  await changeSwitch(app.db, app.by, name, on, app.parts.workspaces)
  await soon(hasClickId).toBe(on)
}

describe('a signature', () => {
  it('has one pixel, and tracked addresses for web links only', async () => {
    const { html, pixel, links } = await addressesOf(await createPerson())
    expect(pixel.length).toBeLessThanOrEqual(40)
    expect(links).toHaveLength(3)
    for (const link of links) expect(link.length).toBeLessThanOrEqual(40)
    expect(html).toContain(`href="mailto:p${people}@example.com"`)
    expect(new Set([pixel, ...links].map(path => path.slice(3))).size).toBe(4)
  })

  it('renders the same every time, and keeps its tracked addresses when its links stay the same', async () => {
    const person = await createPerson()
    const first = await addressesOf(person)
    expect(await htmlOf(person)).toBe(first.html)
    const draft_content = { ...content(), blockStyle: { gap: 11 } }
    await app.patch(`/v1/signatures/${person.signatureId}`, { draft_content })
    await publish(app, person.signatureId)
    const second = await addressesOf(person)
    expect(second.html).not.toBe(first.html)
    expect([second.pixel, second.links]).toEqual([first.pixel, first.links])
  })
})

describe('a view', () => {
  it('is answered with a picture of 43 bytes that is not cached, after the view is recorded', async () => {
    const person = await createPerson()
    const { pixel } = await addressesOf(person)
    const answer = await request(pixel)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/gif',
      'content-length': '43',
      'cache-control': 'no-store',
    })
    const [event, ...others] = await storedEvents(person)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      name: '$view',
      outcome: 'counted',
      signature_id: person.signatureId,
      teammate_id: person.teammateId,
      email_id: person.emailId,
      anchor_id: null,
      click_id: null,
      campaign_id: null,
      country: 'GB',
    })
  })

  it('is recorded for every request', async () => {
    const person = await createPerson()
    const { pixel } = await addressesOf(person)
    for (let n = 0; n < 3; n++) await request(pixel)
    expect(await eventsOf(person)).toHaveLength(3)
  })

  it('is recorded 120 times a minute per network; further requests count as repeated', async () => {
    const person = await createPerson()
    const { pixel, links } = await addressesOf(person)
    // The fake clock keeps all requests within one minute, even on a slow machine.
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const repeated = async (kind: string) =>
      Number(
        new RegExp(`signoff_tracking_total\\{kind="${kind}",outcome="repeated"\\} (\\d+)`).exec(
          await app.metrics(),
        )?.[1] ?? 0,
      )
    for (let n = 0; n < 130; n++) {
      const agent = n % 2 ? safari : `Another ${n}`
      const answer = await request(pixel, {
        ip: '81.2.69.177',
        agent,
        ...(n % 5 === 0 && { method: 'HEAD' }),
      })
      expect(answer.status).toBe(200)
      expect((await request(links[0] ?? '', { ip: `2001:db8:1:2:${n.toString(16)}::7` })).status).toBe(302)
    }
    await request(pixel, { ip: '81.2.69.178' })
    const names = (await eventsOf(person)).map(event => event.name)
    expect(names.filter(name => name === '$view')).toHaveLength(121)
    expect(names.filter(name => name === '$click')).toHaveLength(120)
    expect(await repeated('view')).toBe(10)
    expect(await repeated('click')).toBe(10)
  })

  it.each([
    ['head', { method: 'HEAD' }],
    ['bot', { agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
    ['scanner', { agent: 'Mozilla/5.0 (compatible; Barracuda Sentinel)' }],
    ['scanner', { ip: '209.222.82.7' }],
    ['prefetch', { agent: 'Mozilla/5.0' }],
    ['prefetch', { 'sec-purpose': 'prefetch;prerender' }],
  ])('that is not by a person (%s %j) is recorded with its outcome', async (outcome, options) => {
    const person = await createPerson()
    const { pixel } = await addressesOf(person)
    expect((await request(pixel, options as Record<string, string>)).status).toBe(200)
    expect((await eventsOf(person)).map(event => event.outcome)).toEqual([outcome])
  })

  it('through the image proxy of a mail provider has no country', async () => {
    const person = await createPerson()
    const { pixel } = await addressesOf(person)
    const agent = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'
    await request(pixel, { agent, ip: '66.249.84.1' })
    expect(await eventsOf(person)).toMatchObject([{ outcome: 'counted', country: null }])
  })

  it('gets the country from the address that a trusted proxy forwards, IPv4 or IPv6, or no country', async () => {
    const person = await createPerson()
    const { pixel } = await addressesOf(person)
    for (const ip of ['2a01:4f8::1', '::ffff:8.8.8.8', '10.1.2.3', 'nonsense']) await request(pixel, { ip })
    expect((await eventsOf(person)).map(event => event.country)).toEqual(['DE', 'US', null, null])
  })

  it('gets the country also if the forwarded address has a port, and none if it is unknown', async () => {
    const person = await createPerson()
    const { pixel } = await addressesOf(person)
    for (const ip of ['81.2.69.142:49152', '[2001:4860:4860::8888]:443', '[2001:4860:4860::8888]', 'unknown'])
      expect((await request(pixel, { ip })).status, ip).toBe(200)
    expect((await eventsOf(person)).map(event => event.country)).toEqual(['GB', 'US', 'US', null])
  })
})

describe('a click', () => {
  it('redirects to the link target, with its query and the click id', async () => {
    const person = await createPerson()
    const { links } = await addressesOf(person)
    const answer = await request(links[0]!)
    const [event] = await eventsOf(person)
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toBe(
      `https://example.com/shop?a=1&by=Ada%20${person.n}&signoff_click_id=${event?.id}#top`,
    )
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    expect(event).toMatchObject({
      name: '$click',
      outcome: 'counted',
      anchor_id: 'button',
      click_id: event?.id,
      signature_id: person.signatureId,
      teammate_id: person.teammateId,
      country: 'GB',
    })
    expect((await request(links[1]!)).headers.location).toMatch(
      new RegExp(`^https://cal\\.example\\.com/${person.n}\\?signoff_click_id=[0-9a-f-]{36}$`),
    )
  })

  it('on the portrait of the person leads to the file', async () => {
    const portrait = {
      type: 'button',
      tokens: [{ value: 'My picture' }],
      href: { smartFieldUuid: fields.profile_picture },
    }
    const person = await createPerson({
      type: 'stack',
      children: [portrait, { type: 'text', tokens: [{ value: 'Ada' }] }],
    })
    const { id } = (await upload(app, await solidPicture(400, 300).png().toBuffer())).body.data
    await setValues(app, person.teammateId, { [fields.profile_picture]: id })
    const [link = ''] = (await addressesOf(person)).links
    expect(targetOf(await request(link))).toMatch(/^https:\/\/sign\.example\.com\/files\//)
  })

  it('adds no click id when the workspace has switched that off', async () => {
    const [, , link = ''] = (await addressesOf(await createPerson())).links
    await switchTo('click_id', false)
    expect((await request(link)).headers.location).toBe('https://www.example.com/')
    await switchTo('click_id', true)
  })

  it('uses the published content and the current values of the person', async () => {
    const person = await createPerson()
    const { links } = await addressesOf(person)
    await request(links[0]!)
    await setValues(app, person.teammateId, {
      [fields.first_name]: 'Grace',
      [fields.calendar_link]: 'https://new.example.com/',
    })
    await app.patch(`/v1/signatures/${person.signatureId}`, {
      draft_content: content('https://elsewhere.example/'),
    })
    await publish(app, person.signatureId)
    await soon(async () => targetOf(await request(links[0]!))).toBe('https://elsewhere.example/?by=Grace')
    await soon(async () => targetOf(await request(links[1]!))).toBe('https://new.example.com/')
  })

  it('still works after its link is removed, after that is undone, and after the signature is deleted', async () => {
    const person = await createPerson()
    const { html, links } = await addressesOf(person)
    const site = 'https://www.example.com/'
    expect(targetOf(await request(links[2]!))).toBe(site)
    const draft_content = { type: 'stack', children: [{ type: 'text', tokens: [{ value: 'Nothing' }] }] }
    await app.patch(`/v1/signatures/${person.signatureId}`, { draft_content })
    await publish(app, person.signatureId)
    await cacheExpiry()
    expect(targetOf(await request(links[2]!))).toBe(site)
    const versions = await app.get(`/v1/signatures/${person.signatureId}/versions`)
    await app.post(`/v1/signatures/${person.signatureId}/versions/${versions.body.data[1].id}/restore`)
    await publish(app, person.signatureId)
    expect(await htmlOf(person)).toBe(html)
    await app.del(`/v1/signatures/${person.signatureId}`)
    await cacheExpiry()
    expect(targetOf(await request(links[2]!))).toBe(site)
    expect((await eventsOf(person)).map(event => event.signature_id)).toEqual(
      Array(3).fill(person.signatureId),
    )
  })

  it('from a deleted email address uses the values of its former owner', async () => {
    const person = await createPerson()
    const email = { teammate_id: person.teammateId, address: `alias${person.n}@example.com` }
    const alias = await app.post('/v1/emails', { email })
    const emailId: string = alias.body.data.id
    await app.post(`/v1/signatures/${person.signatureId}/emails`, { email_ids: [emailId] })
    const { links } = await addressesOf({ emailId })
    expect((await app.del(`/v1/emails/${emailId}`)).status).toBe(204)
    expect(targetOf(await request(links[1]!))).toBe(`https://cal.example.com/${person.n}`)
    expect(targetOf(await request(links[0]!))).toContain(`by=Ada%20${person.n}`)
  })

  it('gets its own click id, not one that the author copied into the link', async () => {
    const old = 'signoff_click_id=0190a1b2-0000-7000-8000-000000000001'
    const person = await createPerson(content(`https://example.com/?${old}&a=1&&b=x?y&${old}#end`))
    const { links } = await addressesOf(person)
    const location = (await request(links[0]!)).headers.location ?? ''
    const [event] = await eventsOf(person)
    expect(location).toBe(
      `https://example.com/?a=1&&b=x?y&by=Ada%20${person.n}&signoff_click_id=${event?.id}#end`,
    )
  })

  it('passes its id in the parameter that the workspace has chosen', async () => {
    const olderIds = 'from=old&scribe_click_id=older&signoff_click_id=oldest'
    const person = await createPerson(content(`https://example.com/?${olderIds}&fromage=1#end`))
    const [link = ''] = (await addressesOf(person)).links
    const target = async () => (await request(link)).headers.location
    await changeClickParameter(app.db, app.by, 'from')
    await soon(target).toMatch(/^https:\/\/example\.com\/\?fromage=1&by=Ada%20\d+&from=[0-9a-f-]{36}#end$/)
    await changeClickParameter(app.db, app.by, 'signoff_click_id')
    await soon(target).toContain('signoff_click_id=')
  })

  it('of a deleted teammate works if the link needs none of their values', async () => {
    const person = await createPerson()
    const { links, pixel } = await addressesOf(person)
    await app.del(`/v1/teammates/${person.teammateId}`)
    expect(targetOf(await request(links[2]!))).toBe('https://www.example.com/')
    expect((await request(links[1]!)).status).toBe(404)
    expect((await request(pixel)).status).toBe(200)
  })

  it.each([
    ['head', { method: 'HEAD' }],
    ['bot', { agent: 'curl/8.9.1' }],
    ['scanner', { agent: 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)' }],
    ['scanner', { agent: '' }],
    ['scanner', { ip: '67.231.149.1' }],
  ])(
    'that is not by a person (%s %j) is redirected, and recorded with its outcome',
    async (outcome, options) => {
      const person = await createPerson()
      const { links } = await addressesOf(person)
      const answer = await request(links[2]!, options as Record<string, string>)
      expect([answer.status, targetOf(answer)]).toEqual([302, 'https://www.example.com/'])
      expect((await eventsOf(person)).map(event => event.outcome)).toEqual([outcome])
    },
  )

  it('never redirects to an address from the request', async () => {
    const { links } = await addressesOf(await createPerson())
    const tries = ['?url=https://evil.example', '?to=//evil.example', '#https://evil.example', '/']
    for (const suffix of tries)
      expect(targetOf(await request(links[2]! + suffix, { host: 'evil.example' }))).toBe(
        'https://www.example.com/',
      )
  })
})

describe('tracking that is off', () => {
  it('renders plain links; addresses in sent mails still work, and nothing is recorded', async () => {
    const person = await createPerson()
    const { pixel, links, html } = await addressesOf(person)
    await switchTo('tracking', false)
    const plain = await htmlOf(person)
    expect(plain).not.toContain('sign.example.com/o/')
    expect(plain).not.toContain('sign.example.com/c/')
    expect(plain).toContain('href="https://www.example.com/"')
    expect((await request(pixel)).status).toBe(200)
    expect((await request(links[2]!)).headers.location).toBe('https://www.example.com/')
    expect(await eventsOf(person)).toEqual([])
    await changeSwitch(app.db, app.by, 'tracking', true, app.parts.workspaces)
    await soon(async () => (await request(links[2]!)).headers.location).toContain('signoff_click_id')
    expect(await htmlOf(person)).toBe(html)
  })
})

describe('an address that this service did not make', () => {
  it('is not found, does not redirect and records nothing, in 1,000 tries', async () => {
    const { pixel, links } = await addressesOf(await createPerson())
    await waitUntilRecorded(app)
    const before = await app.db.query(sql`select count(*) from event_tail`)
    const foreignTokens = createTokens([randomBytes(tokenKeyBytes)])
    const valid = pixel.slice(3)
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
    const text = (raw: Uint8Array) => Buffer.from(raw).toString('base64url')
    const fields = fc.tuple(fc.nat(50), fc.nat(50), fc.nat(50), fc.nat(3), fc.nat(9))
    const token = fc.oneof(
      bytes(27).map(text),
      fc.nat(35).map(length => valid.slice(0, length)),
      fc.tuple(fc.nat(26), fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
        const raw = Buffer.from(valid, 'base64url')
        raw[at] = (raw[at] ?? 0) ^ by
        return text(raw)
      }),
      fields.map(([workspace, email, signature, campaign, link]) =>
        foreignTokens.make({ workspace, email, signature, campaign, link }),
      ),
      fc.string({ minLength: 1, maxLength: 50 }).map(encodeURIComponent),
      fc.constantFrom(`${valid}=`, `${valid}A`, valid.toLowerCase(), `${links[0]!.slice(3)}%00`),
    )
    await fc.assert(
      fc.asyncProperty(token, fc.constantFrom('/o/', '/c/'), async (forged, path) => {
        const answer = await request(`${path}${forged}`)
        expect([answer.status, answer.headers.location], forged).toEqual([404, undefined])
      }),
      { numRuns: runs(1_000) },
    )
    await waitUntilRecorded(app)
    expect(await app.db.query(sql`select count(*) from event_tail`)).toEqual(before)
  })

  it('is not found: a pixel token as link, a link token as pixel', async () => {
    const { pixel, links } = await addressesOf(await createPerson())
    expect((await request(pixel.replace('/o/', '/c/'))).status).toBe(404)
    expect((await request(links[0]!.replace('/c/', '/o/'))).status).toBe(404)
  })

  it('is not found if the token names things that do not exist', async () => {
    const tokens = createTokens(await createVault(app.config).derive(keyContext, tokenKeyBytes))
    const [ownWorkspace] = await app.db.query<{ number: number }>(
      sql`select number from workspaces where id = ${app.id}`,
    )
    const missing = { email: 999_999, signature: 999_999, campaign: 0, link: 0 }
    for (const workspace of [ownWorkspace!.number, 999_999])
      expect((await request(`/o/${tokens.make({ workspace, ...missing })}`)).status).toBe(404)
  })

  it('is not found if the workspace in the token was exchanged', async () => {
    const person = await createPerson()
    const tokens = createTokens(await createVault(app.config).derive(keyContext, tokenKeyBytes))
    const { pixel } = await addressesOf(person)
    const opened = tokens.open(pixel.slice(3))!
    const [other] = await app.db.query<{ number: number }>(
      sql`select number from workspaces where id = ${app.other.id}`,
    )
    expect((await request(`/o/${tokens.make({ ...opened, workspace: other!.number })}`)).status).toBe(404)
  })
})

describe('a visitor', () => {
  it('is counted in /metrics, by kind and outcome', async () => {
    const text = await app.metrics()
    for (const [kind, outcome] of [
      ['view', 'counted'],
      ['view', 'head'],
      ['view', 'off'],
      ['view', 'bad_token'],
      ['click', 'counted'],
      ['click', 'bot'],
      ['click', 'no_target'],
    ])
      expect(text).toMatch(
        new RegExp(`signoff_tracking_total\\{kind="${kind}",outcome="${outcome}"\\} [1-9]`),
      )
  })

  it('leaves no IP address in the database or in the log', async () => {
    const { pixel, links } = await addressesOf(await createPerson())
    for (const path of [pixel, ...links, '/o/nonsense']) await request(path, { ip: '81.2.69.160' })
    await waitUntilRecorded(app)
    const tables = await app.db.query<{ name: string }>(
      sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of tables) {
      const { rows } = await app.db.pg.query(
        `select t::text as row from "${name}" t where t::text like '%81.2.69.%'`,
      )
      expect(rows, name).toEqual([])
    }
    expect(lines.filter(line => line.includes('/o/{token}')).length).toBeGreaterThan(10)
    expect(lines.filter(line => line.includes('81.2.69.') || line.includes(pixel.slice(3)))).toEqual([])
  })
})
