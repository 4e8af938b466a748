// Random events, told one by one and in beacons, against a plain model of what must become of them.
import fc from 'fast-check'
import { uuidv7 } from 'uuidv7'
import { beforeAll, expect, it } from 'vitest'
import { sql } from '#kernel/db.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { clickEvent, insertEvents } from './index.ts'

interface Told {
  readonly name: string
  readonly event_id?: string
  readonly anonymous_id?: string
  readonly user_id?: string
  readonly click?: string
  readonly traits?: Record<string, number>
}
interface Step {
  readonly workspace: 0 | 1
  readonly way: 'api' | 'beacon'
  readonly bot: boolean
  readonly events: readonly Told[]
}

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const clickKinds = ['tail', 'month', 'old', 'unknown', 'foreign', 'garbage'] as const
const told = fc.record({
  name: fc.constantFrom('a', 'b', 'tab\there', 'back\\slash', '😀'),
  event_id: some(fc.constantFrom('e1', 'e2', 'e3', 'e4')),
  anonymous_id: some(fc.constantFrom('v1', 'v2', 'v3')),
  user_id: some(fc.constantFrom('u1', 'u2', 'v1')),
  click: some(fc.constantFrom<string>(...clickKinds)),
  traits: some(fc.dictionary(fc.constantFrom('x', 'y', '__proto__'), fc.integer({ min: 0, max: 9 }))),
})
const step: fc.Arbitrary<Step> = fc.record({
  workspace: fc.constantFrom(0, 1),
  way: fc.constantFrom('api', 'beacon'),
  bot: fc.boolean(),
  events: fc.array(told, { minLength: 1, maxLength: 4 }),
}) as fc.Arbitrary<Step>

let app: TestApp
beforeAll(async () => {
  app = await testApp({ env: { SIGNOFF_TRUSTED_PROXIES: '127.0.0.1' } })
  await app.db.pg.query(
    `create table events_all partition of events for values from ('2000-01-01') to ('2100-01-01')`,
  )
})

const idAt = (at: Date): string => {
  const moment = at.getTime().toString(16).padStart(12, '0')
  return `${moment.slice(0, 8)}-${moment.slice(8)}${uuidv7().slice(13)}`
}

/** A click of each kind, as seen from this workspace. */
async function clicksFor(own: TestWorkspace, other: TestWorkspace): Promise<Record<string, string>> {
  const make = async (workspaceId: string, daysAgo: number) => {
    const recordedAt = new Date(Date.now() - daysAgo * 24 * 3600_000)
    const id = idAt(recordedAt)
    const about = { outcome: 'counted', clickId: id, signatureId: id, anchorId: 'x' } as const
    await insertEvents(app.db, workspaceId, [{ workspaceId, id, recordedAt, name: clickEvent, ...about }])
    return id
  }
  const month = await make(own.id, 20)
  await app.db.query(sql`
    with gone as (delete from event_tail where workspace_id = ${own.id} and id = ${month} returning *)
    insert into events select * from gone`)
  return {
    month,
    tail: await make(own.id, 0),
    old: await make(own.id, 31),
    unknown: uuidv7(),
    foreign: await make(other.id, 0),
    garbage: 'not an id',
  }
}

type Way = Step['way']
/** All that is known of somebody, and what of it the API told. */
interface Known {
  readonly all: object
  readonly api: object
  readonly isUser: boolean
}
const nothing: Known = { all: {}, api: {}, isUser: false }

class Model {
  readonly rows: unknown[] = []
  readonly identities = new Map<string, { user: string; way: Way }>()
  readonly traits = new Map<string, Known>()
  private readonly ids = new Set<string>()
  private readonly clicks: Record<string, string>

  constructor(clicks: Record<string, string>) {
    this.clicks = clicks
  }

  private learn(anonymous: string, user: string, way: Way): void {
    const known = this.identities.get(anonymous)
    if (known?.way === 'api' && way === 'beacon') return
    if (known?.user === user && known.way === way) return
    this.identities.set(anonymous, { user, way })
    const own = this.traits.get(anonymous)
    if (!own || anonymous === user || own.isUser) return
    const theirs = this.traits.get(user) ?? nothing
    const api = { ...(way === 'api' && own.api), ...theirs.api }
    this.traits.set(user, { all: { ...own.all, ...theirs.all, ...api }, api, isUser: true })
    if (way === 'api' || Object.keys(own.api).length === 0) this.traits.delete(anonymous)
  }

  private describe(person: string, told: object, way: Way, isUser: boolean): void {
    const known = this.traits.get(person) ?? nothing
    const api = { ...known.api, ...(way === 'api' && told) }
    const all = { ...known.all, ...told, ...api }
    this.traits.set(person, { all, api, isUser: known.isUser || isUser })
  }

  tell(event: Told, way: Way, bot: boolean): void {
    const id = event.event_id === undefined || bot ? undefined : `${way} ${event.event_id}`
    if (id !== undefined && this.ids.has(id)) return
    if (id !== undefined) this.ids.add(id)
    const { anonymous_id: anonymous, user_id: user } = event
    const known = user ?? (anonymous === undefined ? undefined : this.identities.get(anonymous)?.user)
    const person = known ?? anonymous ?? null
    if (!bot && user !== undefined && anonymous !== undefined) this.learn(anonymous, user, way)
    if (!bot && person !== null && event.traits) this.describe(person, event.traits, way, known !== undefined)
    const click = event.click === undefined ? null : (this.clicks[event.click] ?? null)
    const counts = event.click === 'tail' || event.click === 'month'
    this.rows.push({
      name: event.name,
      outcome: bot ? 'bot' : 'counted',
      click_id: event.click === 'garbage' ? null : click,
      signature_id: counts ? click : null,
      anchor_id: counts ? 'x' : null,
      distinct_id: person,
      anonymous_id: anonymous ?? null,
    })
  }
}

const bodyOf = ({ click, ...event }: Told, clicks: Record<string, string>) => ({
  ...event,
  ...(click !== undefined && { click_id: clicks[click] }),
})

it('events are recorded once, put down to their click and to the right person, in every order', async () => {
  let n = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
      const workspaces = [await app.workspace(`A${++n}`), await app.workspace(`B${n}`)] as const
      const clicks = [
        await clicksFor(workspaces[0], workspaces[1]),
        await clicksFor(workspaces[1], workspaces[0]),
      ] as const
      const models = clicks.map(of => new Model(of))
      const sites = await Promise.all(
        workspaces.map(
          async ({ key }) => (await app.get('/v1/workspace', { key })).body.data.event_tracking.id,
        ),
      )
      for (const { workspace, way, bot, events } of steps) {
        const { key } = workspaces[workspace]
        if (way === 'api') {
          for (const event of events) {
            models[workspace]!.tell(event, 'api', false)
            const body = { event: bodyOf(event, clicks[workspace]) }
            expect((await app.post('/v1/analytics/events', body, { key })).status).toBe(202)
          }
          continue
        }
        for (const event of events) models[workspace]!.tell(event, 'beacon', bot)
        const beacon = {
          site: sites[workspace],
          events: events.map(event => bodyOf(event, clicks[workspace])),
        }
        const headers = {
          'x-forwarded-for': `10.0.0.${n}`, // beacons are limited by address
          'content-type': 'text/plain;charset=UTF-8',
          'user-agent': bot
            ? 'Googlebot/2.1 (+http://www.google.com/bot.html)'
            : 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
        }
        const sent = { key: null, headers, payload: JSON.stringify(beacon) }
        expect((await app.call('POST', '/tracking/events', sent)).status).toBe(202)
      }
      for (const [index, { id }] of workspaces.entries()) {
        const rows = await app.db.query(sql`
          select name, outcome, click_id, signature_id, anchor_id, distinct_id, anonymous_id from event_tail
          where workspace_id = ${id} and name <> '$click' order by id`)
        expect(rows).toEqual(models[index]!.rows)
        const identities = await app.db.query<{ anonymous_id: string; user_id: string; source: Way }>(
          sql`select anonymous_id, user_id, source from visitor_identities where workspace_id = ${id}`,
        )
        expect(
          new Map(identities.map(row => [row.anonymous_id, { user: row.user_id, way: row.source }])),
        ).toEqual(models[index]!.identities)
        const traits = await app.db.query<{ distinct_id: string; traits: object }>(
          sql`select distinct_id, traits from visitor_traits where workspace_id = ${id}`,
        )
        expect(
          new Map(traits.map(row => [row.distinct_id, JSON.stringify(Object.entries(row.traits).sort())])),
        ).toEqual(
          new Map(
            [...models[index]!.traits].map(([key, value]) => [
              key,
              JSON.stringify(Object.entries(value.all).sort()),
            ]),
          ),
        )
      }
    }),
    { numRuns: 25 },
  )
})
