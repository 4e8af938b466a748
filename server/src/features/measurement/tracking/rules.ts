// Handles a request for a pixel or a link: resolves the token, decides whether a person made the request, records the
// event.
import {
  clickEvent,
  type EventOutcome,
  type NewEvent,
  type Recorder,
  viewEvent,
} from '#features/measurement/events/index.ts'
import { knownClickParameters } from '#features/workspace/workspaces/index.ts'
import { apiError } from '#kernel/base/errors.ts'
import { newRow } from '#kernel/base/ids.ts'
import type { KeyDeriver } from '#kernel/base/public-address.ts'
import type { Db } from '#kernel/db/db.ts'
import { countryOf } from './country.ts'
import { createDuplicateViews } from './duplicate-views.ts'
import {
  classifyClient,
  createSteps,
  type Decision,
  decide,
  revealsCountry,
  type TrackedKind,
  type TrackedRequest,
  type TrackingOutcome,
} from './pipeline.ts'
import type { TrackedWorkspace } from './queries.ts'
import { createRepeatLimit } from './repeated-requests.ts'
import { createTokenCache, type ResolvedToken, type TargetDeps } from './token-cache.ts'
import { tokensFrom } from './tracked-links.ts'

export interface TrackingDeps extends TargetDeps {
  readonly keys: KeyDeriver
  readonly recorder: Recorder
  /** Further views of the same signature by the same client within these seconds are duplicates. */
  readonly sameViewSeconds: number
  /** Number of requests of one client network for one pixel or link that are recorded per minute; 0 is no limit. */
  readonly viewsPerMinute: number
  /** Counts a request by kind and outcome, for /metrics. */
  readonly count: (kindAndOutcome: `${TrackedKind} ${TrackingOutcome}`) => void
}

/** Facts about the client in the HTTP request. */
export type RequestSource = Pick<
  TrackedRequest,
  'method' | 'userAgent' | 'ip' | 'isPrefetch' | 'isSameOrigin'
>

export interface RequestCounter {
  /** Resolves when the view is recorded. */
  view(db: Db, token: string, source: RequestSource): Promise<void>
  /** Resolves to the address to redirect to. */
  click(db: Db, token: string, source: RequestSource): Promise<string>
}

/** Time for which PostgreSQL can delay a redirect. */
const maxDelayMilliseconds = 50

export function createRequestCounter(deps: TrackingDeps): RequestCounter {
  const { keys, recorder, sameViewSeconds, viewsPerMinute, count } = deps
  const cache = createTokenCache(tokensFrom(keys), deps)
  const { isDuplicate, forget } = createDuplicateViews(sameViewSeconds)
  const steps = createSteps(isDuplicate, createRepeatLimit(viewsPerMinute))

  function refuse(kind: TrackedKind, outcome: TrackingOutcome): never {
    count(`${kind} ${outcome}`)
    throw apiError('not_found')
  }

  const requireKind = (kind: TrackedKind, resolved: ResolvedToken | undefined): ResolvedToken =>
    resolved && (resolved.item.link === null) === (kind === 'view') ? resolved : refuse(kind, 'bad_token')

  const requestOf = (
    kind: TrackedKind,
    token: string,
    source: RequestSource,
    { isTracking }: TrackedWorkspace,
  ): TrackedRequest => ({
    kind,
    token,
    method: source.method,
    userAgent: source.userAgent,
    client: classifyClient(kind, source.userAgent),
    ip: source.ip,
    isPrefetch: source.isPrefetch,
    isSameOrigin: source.isSameOrigin,
    isTracking,
  })

  return {
    async view(db, token, source) {
      const resolved = requireKind('view', await cache.find(db, token))
      const workspace = (await cache.workspaceOf(db, resolved)) ?? refuse('view', 'bad_token')
      const request = requestOf('view', token, source, workspace)
      const decision = decide(steps, request)
      if (isRecordable(decision))
        try {
          await recorder.record(eventOf(resolved.item, request, decision))
        } catch (error) {
          count('view lost')
          forget(request)
          throw error
        }
      count(`view ${decision}`)
    },

    async click(db, token, source) {
      const startedAt = performance.now()
      const resolved = requireKind('click', await cache.find(db, token))
      const [workspace, target] = await Promise.all([
        cache.workspaceOf(db, resolved),
        cache.targetOf(db, token, resolved),
      ])
      if (!workspace || target === undefined) return refuse('click', 'no_target')
      const request = requestOf('click', token, source, workspace)
      const decision = decide(steps, request)
      if (!isRecordable(decision)) {
        count(`click ${decision}`)
        return target
      }
      const event = eventOf(resolved.item, request, decision)
      const millisecondsLeft = Math.max(1, maxDelayMilliseconds - (performance.now() - startedAt))
      // The visitor is redirected even if the click cannot be recorded.
      const isRecorded = await recorder.recordWithin(millisecondsLeft, event).catch(() => false)
      count(`click ${isRecorded ? decision : 'lost'}`)
      return workspace.appendsClickId ? withClickId(target, workspace.clickParameter, event.id) : target
    },
  }
}

const isRecordable = (decision: Decision): decision is EventOutcome =>
  decision !== 'off' && decision !== 'own' && decision !== 'repeated' && decision !== 'duplicate'

function eventOf(item: ResolvedToken['item'], request: TrackedRequest, outcome: EventOutcome): NewEvent {
  const { id, now } = newRow()
  const { workspaceId, signatureId, campaignId, campaignVariant, teammateId, emailId, link } = item
  return {
    workspaceId,
    id,
    recordedAt: now,
    name: link ? clickEvent : viewEvent,
    outcome,
    clickId: link ? id : null,
    signatureId,
    campaignId,
    campaignVariant,
    teammateId,
    emailId,
    anchorId: link?.id ?? null,
    country: revealsCountry(request) ? countryOf(request.ip) : null,
  }
}

/**
 * Adds the click id to the query. An older click id is removed: it is there when the author of the signature copied the
 * address from the browser after a click. The rest of the query and the fragment stay unchanged.
 */
function withClickId(url: string, parameter: string, id: string): string {
  const [withoutFragment = '', ...fragment] = url.split('#')
  const [address, ...rest] = withoutFragment.split('?')
  const query = rest.length === 0 ? [] : rest.join('?').split('&')
  const older = new Set([parameter, ...knownClickParameters])
  const remaining = query.filter(pair => !older.has(pair.split('=', 1)[0] ?? ''))
  return [`${address}?${[...remaining, `${parameter}=${id}`].join('&')}`, ...fragment].join('#')
}
