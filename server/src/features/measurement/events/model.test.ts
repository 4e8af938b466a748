// Random events, sent to the API one by one and in beacons, compared with a simple model of how they must be recorded.
// @module-tag random
import fc from 'fast-check'
import { uuidv7 } from 'uuidv7'
import { beforeAll, expect, it } from 'vitest'
import { sql } from '#kernel/db/db.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { runs } from '#test/support/runs.ts'
import { clickEvent, insertEvents } from './index.ts'

interface SentEvent {
  readonly name: string
  readonly event_id?: string
  readonly anonymous_id?: string
  readonly user_id?: string
  readonly click?: string
  readonly traits?: Record<string, number>
}
interface Step {
  readonly workspace: 0 | 1
  readonly source: 'api' | 'beacon'
  readonly bot: boolean
  readonly events: readonly SentEvent[]
}

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const clickKinds = ['tail', 'month', 'old', 'unknown', 'foreign', 'garbage'] as const
const sentEvent = fc.record({
  name: fc.constantFrom('a', 'b', 'tab\there', 'back\\slash', '😀', '$identify'),
  event_id: optional(fc.constantFrom('e1', 'e2', 'e3', 'e4')),
  anonymous_id: optional(fc.constantFrom('v1', 'v2', 'v3')),
  user_id: optional(fc.constantFrom('u1', 'u2', 'v1')),
  click: optional(fc.constantFrom<string>(...clickKinds)),
  traits: optional(fc.dictionary(fc.constantFrom('x', 'y', '__proto__'), fc.integer({ min: 0, max: 9 }))),
})
const step: fc.Arbitrary<Step> = fc.record({
  workspace: fc.constantFrom(0, 1),
  source: fc.constantFrom('api', 'beacon'),
  bot: fc.boolean(),
  events: fc.array(sentEvent, { minLength: 1, maxLength: 4 }),
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
async function clicksFor(workspace: TestWorkspace, other: TestWorkspace): Promise<Record<string, string>> {
  const make = async (workspaceId: string, daysAgo: number) => {
    const recordedAt = new Date(Date.now() - daysAgo * 24 * 3600_000)
    const id = idAt(recordedAt)
    const about = { outcome: 'counted', clickId: id, signatureId: id, anchorId: 'x' } as const
    await insertEvents(app.db, workspaceId, [{ workspaceId, id, recordedAt, name: clickEvent, ...about }])
    return id
  }
  const month = await make(workspace.id, 20)
  await app.db.query(sql`
    with gone as (delete from event_tail where workspace_id = ${workspace.id} and id = ${month} returning *)
    insert into events select * from gone`)
  return {
    month,
    tail: await make(workspace.id, 0),
    old: await make(workspace.id, 31),
    unknown: uuidv7(),
    foreign: await make(other.id, 0),
    garbage: 'not an id',
  }
}

type Source = Step['source']
/** The traits of a visitor. */
interface Traits {
  readonly all: object
  /** Those that came from the API. */
  readonly api: object
  readonly isUser: boolean
}
const noTraits: Traits = { all: {}, api: {}, isUser: false }

class Model {
  readonly rows: unknown[] = []
  readonly identities = new Map<string, { user: string; source: Source }>()
  readonly traits = new Map<string, Traits>()
  private readonly ids = new Set<string>()
  private readonly clicks: Record<string, string>

  constructor(clicks: Record<string, string>) {
    this.clicks = clicks
  }

  private identify(anonymous: string, user: string, source: Source): void {
    const current = this.identities.get(anonymous)
    if (current?.source === 'api' && source === 'beacon') return
    if (current?.user === user && current.source === source) return
    this.identities.set(anonymous, { user, source })
    const moving = this.traits.get(anonymous)
    if (!moving || anonymous === user || moving.isUser) return
    const ofUser = this.traits.get(user) ?? noTraits
    const api = { ...(source === 'api' && moving.api), ...ofUser.api }
    this.traits.set(user, { all: { ...moving.all, ...ofUser.all, ...api }, api, isUser: true })
    if (source === 'api' || Object.keys(moving.api).length === 0) this.traits.delete(anonymous)
  }

  private addTraits(visitor: string, added: object, source: Source, isUser: boolean): void {
    const before = this.traits.get(visitor) ?? noTraits
    const api = { ...before.api, ...(source === 'api' && added) }
    const all = { ...before.all, ...added, ...api }
    this.traits.set(visitor, { all, api, isUser: before.isUser || isUser })
  }

  record(event: SentEvent, source: Source, bot: boolean): void {
    const id = event.event_id === undefined || bot ? undefined : `${source} ${event.event_id}`
    if (id !== undefined && this.ids.has(id)) return
    if (id !== undefined) this.ids.add(id)
    const { anonymous_id: anonymous, user_id: user } = event
    const knownUser = user ?? (anonymous === undefined ? undefined : this.identities.get(anonymous)?.user)
    const visitor = knownUser ?? anonymous ?? null
    if (!bot && user !== undefined && anonymous !== undefined) this.identify(anonymous, user, source)
    if (!bot && visitor !== null && event.traits)
      this.addTraits(visitor, event.traits, source, knownUser !== undefined)
    if (event.name === '$identify') return
    const click = event.click === undefined ? null : (this.clicks[event.click] ?? null)
    const isAttributed = event.click === 'tail' || event.click === 'month'
    this.rows.push({
      name: event.name,
      outcome: bot ? 'bot' : 'counted',
      click_id: event.click === 'garbage' ? null : click,
      other_click_id: event.click === 'garbage' ? click : null,
      signature_id: isAttributed ? click : null,
      anchor_id: isAttributed ? 'x' : null,
      distinct_id: visitor,
      anonymous_id: anonymous ?? null,
    })
  }
}

const bodyOf = ({ click, ...event }: SentEvent, clicks: Record<string, string>) => ({
  ...event,
  ...(click !== undefined && { click_id: clicks[click] }),
})

it('events are recorded once, and attributed to their click and the right visitor, in every order', async () => {
  let n = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
      const workspaces = [await app.workspace(`A${++n}`), await app.workspace(`B${n}`)] as const
      const clicks = [
        await clicksFor(workspaces[0], workspaces[1]),
        await clicksFor(workspaces[1], workspaces[0]),
      ] as const
      const models = clicks.map(ofWorkspace => new Model(ofWorkspace))
      const sites = await Promise.all(
        workspaces.map(
          async ({ key }) => (await app.get('/v1/workspace', { key })).body.data.event_tracking.id,
        ),
      )
      for (const { workspace, source, bot, events } of steps) {
        const { key } = workspaces[workspace]
        if (source === 'api') {
          for (const event of events) {
            models[workspace]!.record(event, 'api', false)
            const body = { event: bodyOf(event, clicks[workspace]) }
            expect((await app.post('/v1/analytics/events', body, { key })).status).toBe(202)
          }
          continue
        }
        for (const event of events) models[workspace]!.record(event, 'beacon', bot)
        const beacon = {
          site: sites[workspace],
          events: events.map(event => bodyOf(event, clicks[workspace])),
        }
        const headers = {
          'x-forwarded-for': `10.0.0.${n}`, // beacons are rate-limited by address
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
          select name, outcome, click_id, other_click_id, signature_id, anchor_id, distinct_id, anonymous_id from event_tail
          where workspace_id = ${id} and name <> '$click' order by id`)
        expect(rows).toEqual(models[index]!.rows)
        const identities = await app.db.query<{ anonymous_id: string; user_id: string; source: Source }>(
          sql`select anonymous_id, user_id, source from visitor_identities where workspace_id = ${id}`,
        )
        expect(
          new Map(identities.map(row => [row.anonymous_id, { user: row.user_id, source: row.source }])),
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
    { numRuns: runs(15) },
  )
})
