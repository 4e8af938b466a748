// A request for a pixel or for a link: who asks, what for, and what becomes of it.

import {
  clickEvent,
  type EventOutcome,
  type NewEvent,
  type Recorder,
  viewEvent,
} from '#features/events/index.ts'
import type { Db } from '#kernel/db.ts'
import { apiError } from '#kernel/errors.ts'
import { newRow } from '#kernel/ids.ts'
import { countryOf } from './country.ts'
import { createDuplicateViews } from './duplicate-views.ts'
import {
  classifyClient,
  type Decision,
  decide,
  revealsCountry,
  stepsWith,
  type TrackedKind,
  type TrackedRequest,
  type TrackingOutcome,
} from './pipeline.ts'
import type { TrackedWorkspace } from './queries.ts'
import { createRepeatLimit } from './repeated-requests.ts'
import { type CurrentContent, createTokenCache, type ResolvedToken } from './token-cache.ts'
import { type KeyDeriver, tokensFrom } from './tracked-links.ts'

export interface TrackingDeps {
  readonly keys: KeyDeriver
  readonly recorder: Recorder
  readonly currentContent: CurrentContent
  /** Seconds in which the same client sees the same signature once. */
  readonly sameViewSeconds: number
  /** Requests of one address for one pixel or link that are recorded in a minute; 0 is no limit. */
  readonly viewsPerMinute: number
  /** Of one kind with one outcome. */
  readonly count: (what: `${TrackedKind} ${TrackingOutcome}`) => void
}

/** Who asks, as HTTP tells. */
export type RequestSource = Pick<
  TrackedRequest,
  'method' | 'userAgent' | 'ip' | 'isPrefetch' | 'isSameOrigin'
>

export interface RequestCounter {
  /** Answers when the view is kept. */
  view(db: Db, token: string, visitor: RequestSource): Promise<void>
  /** Where to go. */
  click(db: Db, token: string, visitor: RequestSource): Promise<string>
}

/** Because of the store. */
const mostMilliseconds = 50

export function createRequestCounter(counting: TrackingDeps): RequestCounter {
  const { keys, recorder, currentContent, sameViewSeconds, viewsPerMinute, count } = counting
  const known = createTokenCache(tokensFrom(keys), currentContent)
  const { isDuplicate: isAgain, forget } = createDuplicateViews(sameViewSeconds)
  const steps = stepsWith(isAgain, createRepeatLimit(viewsPerMinute))

  function refuse(kind: TrackedKind, outcome: TrackingOutcome): never {
    count(`${kind} ${outcome}`)
    throw apiError('not_found')
  }

  const ofKind = (kind: TrackedKind, found: ResolvedToken | undefined): ResolvedToken =>
    found && (found.item.link === null) === (kind === 'view') ? found : refuse(kind, 'bad_token')

  const visitOf = (
    kind: TrackedKind,
    token: string,
    visitor: RequestSource,
    { isTracking }: TrackedWorkspace,
  ): TrackedRequest => ({
    kind,
    token,
    method: visitor.method,
    userAgent: visitor.userAgent,
    client: classifyClient(kind, visitor.userAgent),
    ip: visitor.ip,
    isPrefetch: visitor.isPrefetch,
    isSameOrigin: visitor.isSameOrigin,
    isTracking,
  })

  return {
    async view(db, token, visitor) {
      const found = ofKind('view', await known.find(db, token))
      const workspace = (await known.workspaceOf(db, found)) ?? refuse('view', 'bad_token')
      const visit = visitOf('view', token, visitor, workspace)
      const decision = decide(steps, visit)
      if (isKept(decision))
        try {
          await recorder.record(eventOf(found.item, visit, decision))
        } catch (error) {
          count('view lost')
          forget(visit)
          throw error
        }
      count(`view ${decision}`)
    },

    async click(db, token, visitor) {
      const began = performance.now()
      const found = ofKind('click', await known.find(db, token))
      const [workspace, target] = await Promise.all([
        known.workspaceOf(db, found),
        known.targetOf(db, token, found),
      ])
      if (!workspace || target === undefined) return refuse('click', 'no_target')
      const visit = visitOf('click', token, visitor, workspace)
      const decision = decide(steps, visit)
      if (!isKept(decision)) {
        count(`click ${decision}`)
        return target
      }
      const event = eventOf(found.item, visit, decision)
      const left = Math.max(1, mostMilliseconds - (performance.now() - began))
      // Whoever clicks arrives, whatever becomes of the count.
      const isRecorded = await recorder.recordWithin(left, event).catch(() => false)
      count(`click ${isRecorded ? decision : 'lost'}`)
      return workspace.appendsClickId ? withClickId(target, event.id) : target
    },
  }
}

const isKept = (decision: Decision): decision is EventOutcome =>
  decision !== 'off' && decision !== 'own' && decision !== 'repeated' && decision !== 'duplicate'

function eventOf(origin: ResolvedToken['item'], visit: TrackedRequest, outcome: EventOutcome): NewEvent {
  const { id, now } = newRow()
  const { workspaceId, signatureId, campaignId, campaignVariant, teammateId, emailId, link } = origin
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
    country: revealsCountry(visit) ? countryOf(visit.ip) : null,
  }
}

const parameter = 'signoff_click_id='

/** Query and fragment stay as they are, but for another click's id: somebody has copied their own address into the signature. */
export function withClickId(url: string, id: string): string {
  const [whole = '', ...fragment] = url.split('#')
  const [address, ...rest] = whole.split('?')
  const query = rest.length === 0 ? [] : rest.join('?').split('&')
  const pairs = [...query.filter(pair => !pair.startsWith(parameter)), `${parameter}${id}`]
  return [`${address}?${pairs.join('&')}`, ...fragment].join('#')
}
