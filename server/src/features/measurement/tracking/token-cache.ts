// Caches what tokens stand for and where links lead. A cached address is answered without PostgreSQL, also while
// PostgreSQL is slow or not reachable.
import { type Content, linkSources, linkTarget } from '@signoff/render'
import { LRUCache } from 'lru-cache'
import { portraitDrawer } from '#features/content/assets/index.ts'
import { personAt } from '#features/content/content/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { roomFor } from '#kernel/base/caches.ts'
import type { Db } from '#kernel/db/db.ts'
import { findTrackedItem, findWorkspaceByNumber, type TrackedItem, type TrackedWorkspace } from './queries.ts'
import type { LoadTokens } from './tracked-links.ts'

/** The published content that replaced the content of the sent mail; null when it was deleted. */
type CurrentContent = (db: Db, item: TrackedItem) => Promise<Content | null>

/** Meaning of a token, and the number of its workspace. */
export interface ResolvedToken {
  readonly workspace: number
  readonly item: TrackedItem
}

/** A cached value is returned directly, not as a promise. */
type MaybePromise<T> = T | Promise<T>

interface TokenCache {
  /** Undefined for a token that this service did not make. */
  find(db: Db, token: string): MaybePromise<ResolvedToken | undefined>
  workspaceOf(db: Db, resolved: ResolvedToken): MaybePromise<TrackedWorkspace | undefined>
  /** The current target of the link; undefined when it has no target any more. */
  targetOf(db: Db, token: string, resolved: ResolvedToken): Promise<string | undefined>
}

/** A changed switch or a new version can take this long to have an effect. */
const freshMilliseconds = 1_000
/** A redirect can be delayed by PostgreSQL for 50 ms: half for this lookup, half for recording the event. */
const lookupMilliseconds = 25

interface TargetContext {
  readonly db: Db
  readonly item: TrackedItem
}

/** Source of the current targets of links. */
export interface TargetDeps {
  readonly publicUrl: string
  readonly currentContent: CurrentContent
}

export function createTokenCache(tokensReady: LoadTokens, deps: TargetDeps): TokenCache {
  const staleOptions = {
    ttl: freshMilliseconds,
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    allowStaleOnFetchRejection: true,
    allowStaleOnFetchAbort: true,
    ignoreFetchAbort: true,
  }
  const workspaces = new LRUCache<number, TrackedWorkspace, Db>({
    ...staleOptions,
    ...roomFor(10_000),
    fetchMethod: (number, _stale, { context: db }) => findWorkspaceByNumber(db, number),
  })
  const targets = new LRUCache<string, string, TargetContext>({
    ...staleOptions,
    ...roomFor(20_000),
    fetchMethod: (_token, _stale, { context: { db, item } }) => resolveTarget(db, item, deps),
  })
  const resolvedTokens = new LRUCache<string, ResolvedToken>(roomFor(20_000))

  /** With a stale value in the cache, the refresh gets a short timeout, after which the stale value is used. */
  const timeoutIf = (isCached: boolean) =>
    isCached ? { signal: AbortSignal.timeout(lookupMilliseconds) } : {}
  const staleAllowed = { allowStale: true }
  const workspaceAt = (db: Db, number: number): MaybePromise<TrackedWorkspace | undefined> =>
    workspaces.get(number) ??
    workspaces.fetch(number, {
      context: db,
      ...timeoutIf(workspaces.peek(number, staleAllowed) !== undefined),
    })

  /** Simultaneous requests for a token (many readers of a new mail) share one lookup. */
  const lookups = new Map<string, Promise<ResolvedToken | undefined>>()
  function lookUpOnce(db: Db, token: string): Promise<ResolvedToken | undefined> {
    const lookup = lookups.get(token) ?? lookUp(db, token).finally(() => lookups.delete(token))
    lookups.set(token, lookup)
    return lookup
  }

  async function lookUp(db: Db, token: string): Promise<ResolvedToken | undefined> {
    const fields = (await tokensReady()).open(token)
    const workspace = fields && (await workspaceAt(db, fields.workspace))
    const item = workspace && (await findTrackedItem(db, workspace.id, fields))
    if (!item) return undefined
    const resolved = { workspace: workspace.number, item }
    resolvedTokens.set(token, resolved)
    return resolved
  }

  return {
    find: (db, token) => resolvedTokens.get(token) ?? lookUpOnce(db, token),
    workspaceOf: (db, { workspace }) => workspaceAt(db, workspace),
    async targetOf(db, token, { item }) {
      const isCached = targets.peek(token, staleAllowed) !== undefined
      return (
        targets.get(token) ?? (await targets.fetch(token, { context: { db, item }, ...timeoutIf(isCached) }))
      )
    },
  }
}

/** Uses the link of the published content; if that link is gone or has no target, the link of the sent mail. */
async function resolveTarget(
  db: Db,
  item: TrackedItem,
  { publicUrl, currentContent }: TargetDeps,
): Promise<string | undefined> {
  const { workspaceId, emailId, link } = item
  if (!link) return undefined
  const fields = await smartFieldsOf(db, workspaceId)
  // A deleted teammate has no values. Links that need none of them still work.
  const person = (await personAt(db, workspaceId, emailId, fields, 'sent from')) ?? {}
  const published = await currentContent(db, item)
  const current = published && linkSources(published).find(({ id }) => id === link.id)
  const surroundings = {
    fields: new Map(fields.map(({ id, kind, fallback }) => [id, { kind, fallback }])),
    personPicture: portraitDrawer(publicUrl, workspaceId),
  }
  return (
    (current && linkTarget(current, person, surroundings)) ??
    linkTarget(link, person, surroundings) ??
    undefined
  )
}
