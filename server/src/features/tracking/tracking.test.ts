import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import fc from 'fast-check'
import { pino } from 'pino'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { renderedFor } from '#features/installations/reconcile/assignments.ts'
import { changeSwitch } from '#features/workspaces/index.ts'
import { sql } from '#kernel/db.ts'
import { createVault } from '#platform/secrets.ts'
import { type Answer, type TestApp, testApp } from '#test/support/app.ts'
import { allRecorded } from '#test/support/events.ts'
import { runs } from '#test/support/runs.ts'
import { createTracking, type Tracking } from './index.ts'
import { createTokens, keyBytes, keyContext } from './token.ts'

const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'

let app: TestApp
let tracking: Tracking
let fields: Record<string, string>
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
  const { body } = await app.get('/v1/smart_fields?limit=100')
  fields = Object.fromEntries(body.data.map((field: { key: string; id: string }) => [field.key, field.id]))
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

let made = 0
/** Somebody with a published signature. */
async function somebody(tree: object = content()) {
  made += 1
  const values = { first_name: `Ada ${made}`, calendar_link: `https://cal.example.com/${made}` }
  const smart_fields = Object.entries(values).map(([key, value]) => ({ smart_field_id: fields[key], value }))
  const person = await app.post('/v1/teammates', {
    teammate: { email: `p${made}@example.com`, smart_fields },
  })
  const emailId: string = person.body.data.emails[0].id
  const { body } = await app.post('/v1/signatures', { name: `S${made}`, draft_content: tree })
  const signatureId: string = body.data.id
  await app.post(`/v1/signatures/${signatureId}/emails`, { email_ids: [emailId] })
  await app.post(`/v1/signatures/${signatureId}/publish`)
  return { n: made, teammateId: person.body.data.id as string, emailId, signatureId }
}
type Somebody = Awaited<ReturnType<typeof somebody>>

async function htmlOf({ emailId }: Pick<Somebody, 'emailId'>): Promise<string> {
  const place = { workspaceId: app.id, publicUrl: app.config.publicUrl, tracking }
  return (await renderedFor(app.db, place, [emailId])).get(emailId)?.html ?? ''
}

/** Their paths: the pixel, and the links in order. */
async function addressesOf(who: Pick<Somebody, 'emailId'>) {
  const html = await htmlOf(who)
  const paths = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, path = '']) => path)
  const [pixel = ''] = paths(/src="https:\/\/sign\.example\.com(\/o\/[^"]+)"/g)
  return { html, pixel, links: paths(/href="https:\/\/sign\.example\.com(\/c\/[^"]+)"/g) }
}

const asked = (
  path: string,
  { method = 'GET', ip = '81.2.69.142', agent = safari, ...headers }: Record<string, string> = {},
): Promise<Answer> =>
  app.call(method, path, {
    key: null,
    headers: { 'user-agent': agent, 'x-forwarded-for': ip, ...headers },
  })

const inTail = (who: { readonly emailId: string }) =>
  app.db.query<Record<string, unknown>>(
    sql`select * from event_tail where workspace_id = ${app.id} and email_id = ${who.emailId} order by recorded_at, id`,
  )

async function recorded(who: { readonly emailId: string }) {
  await allRecorded(app)
  return inTail(who)
}

/** Where it leads, without the id of the click. */
const targetOf = ({ headers }: Answer) => headers.location?.replace(/[?&]signoff_click_id=[0-9a-f-]{36}/, '')

/** Longer than anything is believed without asking. */
const aWhile = () => new Promise(done => setTimeout(done, 1_100))

/** Asked until it says so: on a busy machine what was known before is good for a little longer. */
const soon = (ask: () => Promise<unknown>) => expect.poll(ask, { interval: 100 })

/** Switches, and waits until everybody has noticed. */
async function turned(name: 'click_id' | 'tracking', on: boolean): Promise<void> {
  const [link = ''] = (await addressesOf(await somebody())).links
  const isTold = async () => (await asked(link)).headers.location?.includes('signoff_click_id')
  await changeSwitch(app.db, app.by, name, on, app.parts.workspaces)
  await soon(isTold).toBe(on)
}

describe('a signature', () => {
  it('carries one pixel and goes through us for the web alone', async () => {
    const { html, pixel, links } = await addressesOf(await somebody())
    expect(pixel.length).toBeLessThanOrEqual(40)
    expect(links).toHaveLength(3)
    for (const link of links) expect(link.length).toBeLessThanOrEqual(40)
    expect(html).toContain(`href="mailto:p${made}@example.com"`)
    expect(new Set([pixel, ...links].map(path => path.slice(3))).size).toBe(4)
  })

  it('is the same whenever it is drawn, and when what changed is no link', async () => {
    const who = await somebody()
    const first = await addressesOf(who)
    expect(await htmlOf(who)).toBe(first.html)
    const draft_content = { ...content(), blockStyle: { gap: 11 } }
    await app.patch(`/v1/signatures/${who.signatureId}`, { draft_content })
    await app.post(`/v1/signatures/${who.signatureId}/publish`)
    const again = await addressesOf(who)
    expect(again.html).not.toBe(first.html)
    expect([again.pixel, again.links]).toEqual([first.pixel, first.links])
  })
})

describe('a view', () => {
  it('is answered with a picture of 43 bytes that nobody keeps, and is recorded by then', async () => {
    const who = await somebody()
    const { pixel } = await addressesOf(who)
    const answer = await asked(pixel)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/gif',
      'content-length': '43',
      'cache-control': 'no-store',
    })
    const [event, ...others] = await inTail(who)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      name: '$view',
      outcome: 'counted',
      signature_id: who.signatureId,
      teammate_id: who.teammateId,
      email_id: who.emailId,
      anchor_id: null,
      click_id: null,
      campaign_id: null,
      country: 'GB',
    })
  })

  it('counts every time', async () => {
    const who = await somebody()
    const { pixel } = await addressesOf(who)
    for (let n = 0; n < 3; n++) await asked(pixel)
    expect(await recorded(who)).toHaveLength(3)
  })

  it('is recorded 120 times a minute from one address; further ones are counted as repeated', async () => {
    const who = await somebody()
    const { pixel, links } = await addressesOf(who)
    // All of it within a minute, however slow the machine is.
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
      const answer = await asked(pixel, { ip: '81.2.69.177', agent, ...(n % 5 === 0 && { method: 'HEAD' }) })
      expect(answer.status).toBe(200)
      expect((await asked(links[0] ?? '', { ip: `2001:db8:1:2:${n.toString(16)}::7` })).status).toBe(302)
    }
    await asked(pixel, { ip: '81.2.69.178' })
    const names = (await recorded(who)).map(event => event.name)
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
  ])('that is none (%s %j) is kept as what it is', async (outcome, how) => {
    const who = await somebody()
    const { pixel } = await addressesOf(who)
    expect((await asked(pixel, how as Record<string, string>)).status).toBe(200)
    expect((await recorded(who)).map(event => event.outcome)).toEqual([outcome])
  })

  it('through a proxy of the mailbox has no country', async () => {
    const who = await somebody()
    const { pixel } = await addressesOf(who)
    const agent = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'
    await asked(pixel, { agent, ip: '66.249.84.1' })
    expect(await recorded(who)).toMatchObject([{ outcome: 'counted', country: null }])
  })

  it('comes from where a trusted proxy says, over IPv4 or IPv6, or from nowhere', async () => {
    const who = await somebody()
    const { pixel } = await addressesOf(who)
    for (const ip of ['2a01:4f8::1', '::ffff:8.8.8.8', '10.1.2.3', 'nonsense']) await asked(pixel, { ip })
    expect((await recorded(who)).map(event => event.country)).toEqual(['DE', 'US', null, null])
  })

  it('comes from the address, also where the proxy adds the port, or does not know it', async () => {
    const who = await somebody()
    const { pixel } = await addressesOf(who)
    for (const ip of ['81.2.69.142:49152', '[2001:4860:4860::8888]:443', '[2001:4860:4860::8888]', 'unknown'])
      expect((await asked(pixel, { ip })).status, ip).toBe(200)
    expect((await recorded(who)).map(event => event.country)).toEqual(['GB', 'US', 'US', null])
  })
})

describe('a click', () => {
  it('leads where the link leads, with the query of the link and the id of the click', async () => {
    const who = await somebody()
    const { links } = await addressesOf(who)
    const answer = await asked(links[0]!)
    const [event] = await recorded(who)
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toBe(
      `https://example.com/shop?a=1&by=Ada%20${who.n}&signoff_click_id=${event?.id}#top`,
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
      signature_id: who.signatureId,
      teammate_id: who.teammateId,
      country: 'GB',
    })
    expect((await asked(links[1]!)).headers.location).toMatch(
      new RegExp(`^https://cal\\.example\\.com/${who.n}\\?signoff_click_id=[0-9a-f-]{36}$`),
    )
  })

  it('keeps its id for itself when the workspace wants it so', async () => {
    const [, , link = ''] = (await addressesOf(await somebody())).links
    await turned('click_id', false)
    expect((await asked(link)).headers.location).toBe('https://www.example.com/')
    await turned('click_id', true)
  })

  it('follows what is published and what is known of the person now', async () => {
    const who = await somebody()
    const { links } = await addressesOf(who)
    await asked(links[0]!)
    const smart_fields = [
      { smart_field_id: fields.first_name, value: 'Grace' },
      { smart_field_id: fields.calendar_link, value: 'https://new.example.com/' },
    ]
    await app.patch(`/v1/teammates/${who.teammateId}`, { teammate: { smart_fields } })
    await app.patch(`/v1/signatures/${who.signatureId}`, {
      draft_content: content('https://elsewhere.example/'),
    })
    await app.post(`/v1/signatures/${who.signatureId}/publish`)
    await soon(async () => targetOf(await asked(links[0]!))).toBe('https://elsewhere.example/?by=Grace')
    await soon(async () => targetOf(await asked(links[1]!))).toBe('https://new.example.com/')
  })

  it('goes on working when its link is taken out, when that is undone, and when the signature is deleted', async () => {
    const who = await somebody()
    const { html, links } = await addressesOf(who)
    const site = 'https://www.example.com/'
    expect(targetOf(await asked(links[2]!))).toBe(site)
    const draft_content = { type: 'stack', children: [{ type: 'text', tokens: [{ value: 'Nothing' }] }] }
    await app.patch(`/v1/signatures/${who.signatureId}`, { draft_content })
    await app.post(`/v1/signatures/${who.signatureId}/publish`)
    await aWhile()
    expect(targetOf(await asked(links[2]!))).toBe(site)
    const versions = await app.get(`/v1/signatures/${who.signatureId}/versions`)
    await app.post(`/v1/signatures/${who.signatureId}/versions/${versions.body.data[1].id}/restore`)
    await app.post(`/v1/signatures/${who.signatureId}/publish`)
    expect(await htmlOf(who)).toBe(html)
    await app.del(`/v1/signatures/${who.signatureId}`)
    await aWhile()
    expect(targetOf(await asked(links[2]!))).toBe(site)
    expect((await recorded(who)).map(event => event.signature_id)).toEqual(Array(3).fill(who.signatureId))
  })

  it('from an address that was given up leads where its owner wants', async () => {
    const who = await somebody()
    const email = { teammate_id: who.teammateId, address: `alias${who.n}@example.com` }
    const alias = await app.post('/v1/emails', { email })
    const emailId: string = alias.body.data.id
    await app.post(`/v1/signatures/${who.signatureId}/emails`, { email_ids: [emailId] })
    const { links } = await addressesOf({ emailId })
    expect((await app.del(`/v1/emails/${emailId}`)).status).toBe(204)
    expect(targetOf(await asked(links[1]!))).toBe(`https://cal.example.com/${who.n}`)
    expect(targetOf(await asked(links[0]!))).toContain(`by=Ada%20${who.n}`)
  })

  it('is put down to itself, not to the one that brought whoever wrote the link', async () => {
    const old = 'signoff_click_id=0190a1b2-0000-7000-8000-000000000001'
    const who = await somebody(content(`https://example.com/?${old}&a=1&&b=x?y&${old}#end`))
    const { links } = await addressesOf(who)
    const location = (await asked(links[0]!)).headers.location ?? ''
    const [event] = await recorded(who)
    expect(location).toBe(
      `https://example.com/?a=1&&b=x?y&by=Ada%20${who.n}&signoff_click_id=${event?.id}#end`,
    )
  })

  it('of somebody who has left works where it needs nothing of them', async () => {
    const who = await somebody()
    const { links, pixel } = await addressesOf(who)
    await app.del(`/v1/teammates/${who.teammateId}`)
    expect(targetOf(await asked(links[2]!))).toBe('https://www.example.com/')
    expect((await asked(links[1]!)).status).toBe(404)
    expect((await asked(pixel)).status).toBe(200)
  })

  it.each([
    ['head', { method: 'HEAD' }],
    ['bot', { agent: 'curl/8.9.1' }],
    ['scanner', { agent: 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)' }],
    ['scanner', { agent: '' }],
    ['scanner', { ip: '67.231.149.1' }],
  ])('that is none (%s %j) leads on all the same, and is kept as what it is', async (outcome, how) => {
    const who = await somebody()
    const { links } = await addressesOf(who)
    const answer = await asked(links[2]!, how as Record<string, string>)
    expect([answer.status, targetOf(answer)]).toEqual([302, 'https://www.example.com/'])
    expect((await recorded(who)).map(event => event.outcome)).toEqual([outcome])
  })

  it('never leads where the request says', async () => {
    const { links } = await addressesOf(await somebody())
    const tries = ['?url=https://evil.example', '?to=//evil.example', '#https://evil.example', '/']
    for (const more of tries)
      expect(targetOf(await asked(links[2]! + more, { host: 'evil.example' }))).toBe(
        'https://www.example.com/',
      )
  })
})

describe('tracking that is off', () => {
  it('leaves signatures as they are; addresses that are out there work, and nothing is recorded', async () => {
    const who = await somebody()
    const { pixel, links, html } = await addressesOf(who)
    await turned('tracking', false)
    const plain = await htmlOf(who)
    expect(plain).not.toContain('sign.example.com/o/')
    expect(plain).not.toContain('sign.example.com/c/')
    expect(plain).toContain('href="https://www.example.com/"')
    expect((await asked(pixel)).status).toBe(200)
    expect((await asked(links[2]!)).headers.location).toBe('https://www.example.com/')
    expect(await recorded(who)).toEqual([])
    await changeSwitch(app.db, app.by, 'tracking', true, app.parts.workspaces)
    await soon(async () => (await asked(links[2]!)).headers.location).toContain('signoff_click_id')
    expect(await htmlOf(who)).toBe(html)
  })
})

describe('an address that we did not make', () => {
  it('is not found, leads nowhere and records nothing, in 1,000 tries', async () => {
    const { pixel, links } = await addressesOf(await somebody())
    await allRecorded(app)
    const before = await app.db.query(sql`select count(*) from event_tail`)
    const theirs = createTokens([randomBytes(keyBytes)])
    const mine = pixel.slice(3)
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
    const text = (raw: Uint8Array) => Buffer.from(raw).toString('base64url')
    const marks = fc.tuple(fc.nat(50), fc.nat(50), fc.nat(50), fc.nat(3), fc.nat(9))
    const token = fc.oneof(
      bytes(27).map(text),
      fc.nat(35).map(length => mine.slice(0, length)),
      fc.tuple(fc.nat(26), fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
        const raw = Buffer.from(mine, 'base64url')
        raw[at] = (raw[at] ?? 0) ^ by
        return text(raw)
      }),
      marks.map(([workspace, email, signature, campaign, link]) =>
        theirs.make({ workspace, email, signature, campaign, link }),
      ),
      fc.string({ minLength: 1, maxLength: 50 }).map(encodeURIComponent),
      fc.constantFrom(`${mine}=`, `${mine}A`, mine.toLowerCase(), `${links[0]!.slice(3)}%00`),
    )
    await fc.assert(
      fc.asyncProperty(token, fc.constantFrom('/o/', '/c/'), async (made, path) => {
        const answer = await asked(`${path}${made}`)
        expect([answer.status, answer.headers.location], made).toEqual([404, undefined])
      }),
      { numRuns: runs(1_000) },
    )
    await allRecorded(app)
    expect(await app.db.query(sql`select count(*) from event_tail`)).toEqual(before)
  })

  it('nor is a pixel a link, or a link a pixel', async () => {
    const { pixel, links } = await addressesOf(await somebody())
    expect((await asked(pixel.replace('/o/', '/c/'))).status).toBe(404)
    expect((await asked(links[0]!.replace('/c/', '/o/'))).status).toBe(404)
  })

  it('that names what does not exist is none either', async () => {
    const tokens = createTokens(await createVault(app.config).derive(keyContext, keyBytes))
    const [own] = await app.db.query<{ number: number }>(
      sql`select number from workspaces where id = ${app.id}`,
    )
    const nothing = { email: 999_999, signature: 999_999, campaign: 0, link: 0 }
    for (const workspace of [own!.number, 999_999])
      expect((await asked(`/o/${tokens.make({ workspace, ...nothing })}`)).status).toBe(404)
  })

  it('of another workspace stays there', async () => {
    const who = await somebody()
    const tokens = createTokens(await createVault(app.config).derive(keyContext, keyBytes))
    const { pixel } = await addressesOf(who)
    const marks = tokens.open(pixel.slice(3))!
    const [other] = await app.db.query<{ number: number }>(
      sql`select number from workspaces where id = ${app.other.id}`,
    )
    expect((await asked(`/o/${tokens.make({ ...marks, workspace: other!.number })}`)).status).toBe(404)
  })
})

describe('what is told of visitors', () => {
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

  it('is never their address: not in the database, not in the log', async () => {
    const { pixel, links } = await addressesOf(await somebody())
    for (const path of [pixel, ...links, '/o/nonsense']) await asked(path, { ip: '81.2.69.160' })
    await allRecorded(app)
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
