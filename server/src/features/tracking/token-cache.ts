// What tokens stand for and where links lead, remembered: a known address is answered without PostgreSQL, and goes on
// being answered when PostgreSQL is slow or away.
import { type Content, linkSources, linkTarget } from '@signoff/render'
import { LRUCache } from 'lru-cache'
import { personAt } from '#features/content/index.ts'
import { smartFieldsOf } from '#features/smart-fields/index.ts'
import type { Db } from '#kernel/db.ts'
import { findTrackedItem, findWorkspaceByNumber, type TrackedItem, type TrackedWorkspace } from './queries.ts'
import type { TokensReady } from './tracked-links.ts'

/** What is published now in the place of what a mail was sent with; null when it is gone. */
export type CurrentContent = (db: Db, origin: TrackedItem) => Promise<Content | null>

/** What a token stands for, and in which workspace. */
export interface ResolvedToken {
  readonly workspace: number
  readonly item: TrackedItem
}

/** What is known is there at once. */
type Soon<T> = T | Promise<T>

export interface TokenCache {
  /** Undefined for what we did not make. */
  find(db: Db, token: string): Soon<ResolvedToken | undefined>
  workspaceOf(db: Db, found: ResolvedToken): Soon<TrackedWorkspace | undefined>
  /** Where the link leads now; undefined is nowhere any more. */
  targetOf(db: Db, token: string, found: ResolvedToken): Promise<string | undefined>
}

/** How long a switch or a new version may go unnoticed. */
const freshMilliseconds = 1_000
/** Half of what a redirect may take because of the store; the other half is for keeping the event. */
const patienceMilliseconds = 25

interface Asked {
  readonly db: Db
  readonly origin: TrackedItem
}

export function createTokenCache(ready: TokensReady, currentContent: CurrentContent): TokenCache {
  const stale = {
    ttl: freshMilliseconds,
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    allowStaleOnFetchRejection: true,
    allowStaleOnFetchAbort: true,
    ignoreFetchAbort: true,
  }
  const workspaces = new LRUCache<number, TrackedWorkspace, Db>({
    ...stale,
    max: 10_000,
    fetchMethod: (number, _known, { context: db }) => findWorkspaceByNumber(db, number),
  })
  const targets = new LRUCache<string, string, Asked>({
    ...stale,
    max: 20_000,
    fetchMethod: (_token, _known, { context: { db, origin } }) => resolve(db, origin, currentContent),
  })
  const found = new LRUCache<string, ResolvedToken>({ max: 20_000 })

  /** What is known already waits for nobody. */
  const patience = (isKnown: boolean) =>
    isKnown ? { signal: AbortSignal.timeout(patienceMilliseconds) } : {}
  const asStale = { allowStale: true }
  const workspaceAt = (db: Db, number: number): Soon<TrackedWorkspace | undefined> =>
    workspaces.get(number) ??
    workspaces.fetch(number, {
      context: db,
      ...patience(workspaces.peek(number, asStale) !== undefined),
    })

  /** Many who see a new mail at once ask once. */
  const asked = new Map<string, Promise<ResolvedToken | undefined>>()
  function ask(db: Db, token: string): Promise<ResolvedToken | undefined> {
    const asking = asked.get(token) ?? lookUp(db, token).finally(() => asked.delete(token))
    asked.set(token, asking)
    return asking
  }

  async function lookUp(db: Db, token: string): Promise<ResolvedToken | undefined> {
    const marks = (await ready()).open(token)
    const workspace = marks && (await workspaceAt(db, marks.workspace))
    const origin = workspace && (await findTrackedItem(db, workspace.id, marks))
    if (!origin) return undefined
    const made = { workspace: workspace.number, item: origin }
    found.set(token, made)
    return made
  }

  return {
    find: (db, token) => found.get(token) ?? ask(db, token),
    workspaceOf: (db, { workspace }) => workspaceAt(db, workspace),
    async targetOf(db, token, { item: origin }) {
      const isKnown = targets.peek(token, asStale) !== undefined
      return (
        targets.get(token) ?? (await targets.fetch(token, { context: { db, origin }, ...patience(isKnown) }))
      )
    },
  }
}

/** The published version decides, as long as it has this link; then the one that was in the mail. */
async function resolve(
  db: Db,
  origin: TrackedItem,
  currentContent: CurrentContent,
): Promise<string | undefined> {
  const { workspaceId, emailId, link } = origin
  if (!link) return undefined
  const fields = await smartFieldsOf(db, workspaceId)
  // Of somebody who has left nothing is filled in; links that need nothing go on working.
  const person = (await personAt(db, workspaceId, emailId, fields, 'sent from')) ?? {}
  const published = await currentContent(db, origin)
  const current = published && linkSources(published).find(({ id }) => id === link.id)
  const around = { fields: new Map(fields.map(({ id, kind, fallback }) => [id, { kind, fallback }])) }
  return (current && linkTarget(current, person, around)) ?? linkTarget(link, person, around) ?? undefined
}
