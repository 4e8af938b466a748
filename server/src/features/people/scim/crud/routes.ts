// The routes of a kind of resource, which are the same for users and groups.

import type { DirectoryRef } from '#features/people/directories/index.ts'
import { type Answer, noContent, type Route } from '#kernel/api/routes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { KeyedQueue } from '#kernel/base/queues.ts'
import type { Db } from '#kernel/db/db.ts'
import type { ScimJson } from '../attributes.ts'
import type { ScimDeps } from '../deps.ts'
import { mostResults } from '../discovery.ts'
import { parseScimFilter, type ScimFilter } from '../filters/parse.ts'
import { type Projection, projected, type StoredResource, shownResource } from '../resources.ts'
import { ScimList, ScimListQuery, ScimQuery, ScimResource } from '../schemas.ts'
import type { ScimPage } from '../users/queries.ts'
import type { ScimWrite } from '../users/rules.ts'
import { type ScimCall, scimAnswer, scimListAnswer, scimRoute } from '../wire/routes.ts'
import { scimScopeOf, writeScim } from '../writes.ts'

/** The differences between users and groups. */
export interface ScimResourceKind {
  readonly type: 'User' | 'Group'
  /** The limit of a body. */
  readonly bodyLimit?: number
  readonly find: (db: Db, scope: DirectoryRef, id: string) => Promise<StoredResource | undefined>
  readonly list: (
    db: Db,
    scope: DirectoryRef,
    filter: ScimFilter | null,
    page: ScimPage,
  ) => Promise<{ readonly resources: readonly StoredResource[]; readonly total: number }>
  /** Adds what an answer shows besides the stored resource. Can leave some out, but not the first. */
  readonly complete: (
    db: Db,
    scope: DirectoryRef,
    stored: readonly StoredResource[],
    projection: Projection,
  ) => Promise<readonly StoredResource[]>
  readonly create: (tx: Db, write: ScimWrite, body: ScimJson) => Promise<StoredResource>
  readonly replace: (tx: Db, write: ScimWrite, id: string, body: ScimJson) => Promise<StoredResource>
  readonly patch: (tx: Db, write: ScimWrite, id: string, body: ScimJson) => Promise<StoredResource>
  /** True if the answer to a PATCH has the resource. RFC 7644, section 3.5.2: always when it asks for attributes. */
  readonly answersPatch: (query: Projection) => boolean
  readonly remove: (tx: Db, write: ScimWrite, id: string) => Promise<void>
}

/** `startIndex` begins at 1; smaller numbers mean 1, and a negative `count` means 0. */
function pageOfQuery({ startIndex = 1, count = 100 }: ScimCall['query']): ScimPage & { startIndex: number } {
  const first = Math.min(Math.max(1, startIndex), 1_000_000_000)
  return { startIndex: first, offset: first - 1, limit: Math.min(Math.max(0, count), mostResults) }
}

const answered = (resource: StoredResource, { type }: ScimResourceKind, baseUrl: string, query: Projection) =>
  projected(shownResource(resource, type, baseUrl), query)

const readRoutes = (kind: ScimResourceKind, baseUrl: string): readonly Route[] => [
  scimRoute({
    method: 'GET',
    path: `/${kind.type}s`,
    summary: `SCIM: list ${kind.type}s`,
    query: ScimListQuery,
    answers: { 200: ScimList },
    async handle({ db, by, query }) {
      const scope = await scimScopeOf(db, by.workspaceId)
      const filter = query.filter?.trim() ? parseScimFilter(query.filter) : null
      const { startIndex, ...page } = pageOfQuery(query)
      const { resources, total } = await kind.list(db, scope, filter, page)
      const completed = await kind.complete(db, scope, resources, query)
      return scimListAnswer(
        completed.map(resource => answered(resource, kind, baseUrl, query)),
        total,
        startIndex,
      )
    },
  }),
  scimRoute({
    method: 'GET',
    path: `/${kind.type}s/{id}`,
    summary: `SCIM: read a ${kind.type}`,
    query: ScimQuery,
    answers: { 200: ScimResource },
    async handle({ db, by, id, query }) {
      const scope = await scimScopeOf(db, by.workspaceId)
      const stored = orNotFound(await kind.find(db, scope, id))
      const [completed = stored] = await kind.complete(db, scope, [stored], query)
      return scimAnswer(200, answered(completed, kind, baseUrl, query))
    },
  }),
]

type WriteHandler = (tx: Db, write: ScimWrite, call: ScimCall) => Promise<Answer>

function writeRoutes(
  kind: ScimResourceKind,
  deps: ScimDeps,
  baseUrl: string,
  queue: KeyedQueue,
): readonly Route[] {
  const [path, pathOfId] = [`/${kind.type}s`, `/${kind.type}s/{id}`]
  const limit = kind.bodyLimit === undefined ? {} : { bodyLimit: kind.bodyLimit }
  const writing = (work: WriteHandler) => (call: ScimCall) => {
    const { db, by, isAnswerInTransaction } = call
    const run = () => writeScim(db, by.workspaceId, (tx, scope) => work(tx, { by, scope, deps }, call))
    // A request with an Idempotency-Key holds a connection already: it must not wait for others that need one.
    return isAnswerInTransaction ? run() : queue.run(by.workspaceId, run)
  }
  const answerWith = async (
    tx: Db,
    { scope }: ScimWrite,
    status: 200 | 201,
    stored: StoredResource,
    query: Projection,
  ): Promise<Answer> => {
    const [completed = stored] = await kind.complete(tx, scope, [stored], query)
    const headers: Record<string, string> =
      status === 201 ? { location: `${baseUrl}${path}/${stored.id}` } : {}
    return scimAnswer(status, answered(completed, kind, baseUrl, query), headers)
  }
  return [
    scimRoute({
      method: 'POST',
      path,
      summary: `SCIM: create a ${kind.type}`,
      query: ScimQuery,
      ...limit,
      answers: { 201: ScimResource },
      handle: writing(async (tx, write, { body, query }) =>
        answerWith(tx, write, 201, await kind.create(tx, write, body), query),
      ),
    }),
    scimRoute({
      method: 'PUT',
      path: pathOfId,
      summary: `SCIM: replace a ${kind.type}`,
      query: ScimQuery,
      ...limit,
      answers: { 200: ScimResource },
      handle: writing(async (tx, write, { id, body, query }) =>
        answerWith(tx, write, 200, await kind.replace(tx, write, id, body), query),
      ),
    }),
    scimRoute({
      method: 'PATCH',
      path: pathOfId,
      summary: `SCIM: change a ${kind.type}`,
      query: ScimQuery,
      ...limit,
      answers: { 200: ScimResource, 204: null },
      handle: writing(async (tx, write, { id, body, query }) => {
        const stored = await kind.patch(tx, write, id, body)
        return kind.answersPatch(query) ? answerWith(tx, write, 200, stored, query) : noContent()
      }),
    }),
    scimRoute({
      method: 'DELETE',
      path: pathOfId,
      summary: `SCIM: delete a ${kind.type}`,
      answers: { 204: null },
      handle: writing(async (tx, write, { id }) => {
        await kind.remove(tx, write, id)
        return noContent()
      }),
    }),
  ]
}

export const scimResourceRoutes = (
  kind: ScimResourceKind,
  deps: ScimDeps,
  baseUrl: string,
  queue: KeyedQueue,
): readonly Route[] => [...readRoutes(kind, baseUrl), ...writeRoutes(kind, deps, baseUrl, queue)]
