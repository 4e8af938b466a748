import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import { type Static, Type } from 'typebox'
import { type TrackedSite, trackedSite } from '#features/workspace/workspaces/index.ts'
import { accepted, dataOf, plainBody, publicRoute, type Route } from '#kernel/api/routes.ts'
import { itemChecker, Uuid } from '#kernel/api/validation.ts'
import { roomFor } from '#kernel/base/caches.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { apiError, orNotFound } from '#kernel/base/errors.ts'
import { isObject, unstorableProblems } from '#kernel/base/json-values.ts'
import { networkOf, RateLimiterMemory, type RateLimiterRes } from '#kernel/base/rate-limits.ts'
import type { Db } from '#kernel/db/db.ts'
import { propertyProblems } from '../property-limits.ts'
import { bodyLimit, type EventDeps } from '../routes.ts'
import { EventInput } from '../schemas.ts'

const script = readFileSync(join(import.meta.dirname, 'signoff.js'), 'utf8')
const scriptVersion = hash('sha1', script, 'base64url')

const maxEvents = 100
/** The events are checked one by one: a wrong one does not reject the others. */
const Beacon = NamedObject('Beacon', {
  site: Uuid(),
  events: Type.Array(Type.Unknown(), {
    minItems: 1,
    maxItems: maxEvents,
    examples: [[{ name: 'Signed up', anonymous_id: 'v-1' }]],
  }),
})
const BeaconReceipt = NamedObject('BeaconReceipt', {
  accepted: Type.Integer(),
  rejected: Type.Integer({ description: 'Events that are not valid.' }),
})
const schemaProblems = itemChecker(EventInput, 'event')

function isEvent(value: unknown): value is EventInput {
  const checks = [unstorableProblems, schemaProblems, propertyProblems]
  return isObject(value) && checks.every(problemsOf => problemsOf(value).length === 0)
}

/** Beacons per client network: enough for an office behind one address, too few for a flood. */
const rateLimit = { points: 200, duration: 10 }
/** The switch for tracking takes effect for beacons within this time. */
const siteCacheMilliseconds = 1_000

const scriptHeaders = {
  'content-type': 'text/javascript; charset=utf-8',
  etag: `"${scriptVersion}"`,
  // Browsers load the script once an hour, so a new version reaches all pages within the hour.
  'cache-control': 'public, max-age=3600',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

export function beaconRoutes({ recorder }: EventDeps): readonly Route[] {
  const limiter = new RateLimiterMemory(rateLimit)
  const sites = new LRUCache<string, { readonly site: TrackedSite | undefined }>({
    ...roomFor(10_000),
    ttl: siteCacheMilliseconds,
  })

  async function siteOf(db: Db, trackingId: string): Promise<TrackedSite> {
    let cached = sites.get(trackingId)
    if (!cached) {
      cached = { site: await trackedSite(db, trackingId) }
      sites.set(trackingId, cached)
    }
    return orNotFound(cached.site)
  }

  return [
    {
      name: null,
      method: 'POST',
      path: '/tracking/events',
      access: 'public',
      summary: 'Record events from a browser',
      body: plainBody(Beacon, { items: 'events' }),
      bodyLimit,
      // A browser sends text/plain to another origin without a preflight request.
      accepts: ['text/plain', 'application/json'],
      cors: true,
      errors: ['not_found', 'rate_limited'],
      answers: { 202: dataOf(BeaconReceipt) },
      async handle({ db, body, client }) {
        await limiter.consume(networkOf(client.address)).catch(tooMany)
        const { site: trackingId, events: sent } = body as Static<typeof Beacon>
        const events = sent.filter(isEvent)
        const { workspaceId, enabled } = await siteOf(db, trackingId.toLowerCase())
        const outcome = isbot(client.userAgent) ? 'bot' : 'counted'
        if (enabled && events.length > 0)
          await recorder.submit(events.map(input => ({ workspaceId, input, source: 'beacon', outcome })))
        return accepted({
          accepted: enabled ? events.length : 0,
          rejected: sent.length - events.length,
        })
      },
    },
    publicRoute('/signoff.js', 'The script for web pages', { 200: Type.String(), 304: null }, async () => ({
      status: 200,
      body: script,
      headers: scriptHeaders,
    })),
  ]
}

const tooMany = (state: RateLimiterRes): never => {
  throw apiError('rate_limited', { headers: { 'Retry-After': String(Math.ceil(state.msBeforeNext / 1000)) } })
}
