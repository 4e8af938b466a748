// Tests every route of the route table, so new routes are covered automatically.
// @module-tag random
import { beforeAll, describe, expect, it } from 'vitest'
import { addMember, findMember } from '#features/workspace/accounts/index.ts'
import { createKey } from '#features/workspace/api-keys/index.ts'
import { isOfAccount, isOfWorkspace, isWrite, type Route } from '#kernel/api/routes.ts'
import { allows, grantsOf, isBelow, type Role, scopes } from '#kernel/api/scopes.ts'
import { sql } from '#kernel/db/db.ts'
import type { Answer, RequestOptions, TestApp } from './support/app.ts'
import { demoApp } from './support/demo.ts'
import { exampleBody, exampleQuery, realPath } from './support/examples.ts'
import { roundRobin } from './support/runs.ts'
import { connectOutlook, createTeammateChange, createTestedWebhook } from './support/world.ts'

let app: TestApp
let guarded: readonly Route[]
/** Paths of the demo. Valid until a test writes into its workspace. */
const paths = new Map<Route, string>()
beforeAll(async () => {
  app = await demoApp({ env: { SIGNOFF_SMTP_URL: 'smtp://127.0.0.1:1' }, draws: true }) // no worker runs
  await app.post('/v1/feedback', { category: 'bug', message: 'x' })
  await createTestedWebhook(app)
  await connectOutlook(app)
  await createTeammateChange(app)
  // The errors of SCIM have another form: features/people/scim/scim-rules.test.ts covers its routes.
  guarded = app.routes.filter(({ access, path }) => isOfWorkspace(access) && !path.startsWith('/scim/'))
  for (const route of guarded) paths.set(route, await realPath(app, route))
})
const pathOf = (route: Route) => paths.get(route) ?? ''

const snapshot = async () => {
  const lists = guarded.filter(
    route => route.method === 'GET' && !route.path.includes('{') && route.path !== '/v1/audit_log',
  )
  const texts = await Promise.all(
    lists.map(async route => (await app.get(`${route.path}${exampleQuery(route)}&limit=100`)).text),
  )
  return texts.join('\n').replace(/"last_(used|seen)_at":("[^"]*"|null)/g, '')
}

/** True if the path names a record of the workspace. Words in a path are the same in every workspace. */
const isOfRecord = ({ path, words = {} }: Route): boolean =>
  [...path.matchAll(/\{(\w+)\}/g)].some(([, name = '']) => words[name] === undefined)

/** A request with access succeeds, or gets 422 for a missing query parameter. */
const hasAccess = ({ status, body }: Answer, route: Route): boolean =>
  status < 300 || (status === 422 && route.query !== undefined && body.error.code === 'missing')

let members = 0

type Send = (method: string, path: string, sent?: RequestOptions) => Promise<Answer>

/** The two kinds of credentials: an API key, and the cookie of a member who is signed in. */
const credentials: Readonly<
  Record<'key' | 'session', { stranger(): Promise<Send>; member(role: Role): Promise<Send> }>
> = {
  key: {
    stranger: async () => (method, path, sent) => app.call(method, path, { key: app.other.key, ...sent }),
    async member(role) {
      const email = `${role}${++members}@example.com`
      const member = { name: role, email, role: role as Exclude<Role, 'owner'> }
      const memberId = await addMember(app.db, app.id, member)
      const { key } = await createKey(app.db, app.by, memberId, { name: role, scopes: ['*'] })
      return (method, path, sent) => app.call(method, path, { key, ...sent })
    },
  },
  session: {
    stranger: async () => (await app.signIn({ workspace: app.other })).call,
    member: async role => (await app.signIn({ role })).call,
  },
}

describe.each(['key', 'session'] as const)('a %s of another workspace', kind => {
  it('finds nothing by id, gets no foreign ids in a list, and changes nothing', async () => {
    const before = await snapshot()
    const ids = new Set(before.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g))
    expect(ids.size).toBeGreaterThan(100)
    const send = await credentials[kind].stranger()
    for (const route of guarded) {
      const answer = await send(route.method, `${pathOf(route)}${exampleQuery(route)}`, {
        ...(route.body && { body: exampleBody(route) }),
      })
      const name = `${route.method} ${route.path}`
      if (isOfRecord(route)) expect([answer.status, answer.body.error.code], name).toEqual([404, 'not_found'])
      else if (!isWrite(route)) expect(answer.status, name).toBe(200)
      const leakedIds = (answer.text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []).filter(id => ids.has(id))
      expect(leakedIds, name).toEqual([])
    }
    expect(await snapshot()).toBe(before)
  })
})

describe('a key with a single scope', () => {
  /** By scope: the next of the routes that need it. Each scope tries every other scope, and together they try all routes. */
  const nextRoutes = new Map<string, () => readonly Route[]>()
  const routesFor = (scope: string): readonly Route[] =>
    [...Map.groupBy(guarded, ({ access }) => String(access))].flatMap(([access, routes]) => {
      if (access === scope || access === 'any key') return routes
      const next =
        nextRoutes.get(access) ?? roundRobin(routes, Math.ceil(routes.length / (scopes.length - 1)))
      nextRoutes.set(access, next)
      return next()
    })

  it.each(scopes)('%s opens its own routes and gets 403 everywhere else', async scope => {
    const owner = await findMember(app.db, app.id)
    const { key } = await createKey(app.db, app.by, owner!.id, { name: scope, scopes: [scope] })
    for (const route of routesFor(scope)) {
      if (route.access === scope && isWrite(route)) continue // covered by the tests of the resource
      const answer = await app.call(route.method, pathOf(route), {
        key,
        ...(route.body && { body: exampleBody(route) }),
      })
      const name = `${route.method} ${route.path}`
      if (route.access === scope || route.access === 'any key')
        expect(hasAccess(answer, route), `${name} ${answer.text}`).toBe(true)
      else {
        expect([answer.status, answer.body.error.code], name).toEqual([403, 'insufficient_scope'])
        expect(answer.body.error.message, name).toContain(route.access)
      }
    }
  })
})

describe('a member', () => {
  const below = [
    ['admin', 'own'],
    ['manager', 'own'],
    ['member', 'own'],
    ['member', 'read'],
  ] as const
  /** Lists of what is the caller's own, and definitions that hold nobody's data. */
  const shownToAll = ['teammates.list', 'profileChanges.list', 'smartFields.list', 'smartFields.get']

  // Each role opens every second route with a key and the others with a session; the next role the other way round.
  it.each(below)('who is %s (member_access: %s) opens what the role includes', async (role, memberAccess) => {
    await app.patch('/v1/workspace', { member_access: memberAccess })
    const ownOnly = role === 'member' && memberAccess === 'own'
    const senders = [await credentials.key.member(role), await credentials.session.member(role)] as const
    for (const [index, route] of guarded.entries()) {
      const isHighEnough = !route.leastRole || !isBelow(role, route.leastRole)
      const isIncluded =
        route.access === 'any key' ||
        allows(grantsOf({ role, memberAccess }), route.access) ||
        route.alsoAdmits === role
      const isAllowed = isHighEnough && isIncluded
      if (isAllowed && isWrite(route)) continue
      const isFirst = index % 2 === Number(role === 'manager' || memberAccess === 'read')
      const send = senders[isFirst ? 0 : 1] as Send
      const answer = await send(route.method, pathOf(route), {
        ...(route.body && { body: exampleBody(route) }),
      })
      const name = `${route.method} ${route.path}`
      if (ownOnly && route.own)
        // The record of the demo belongs to another person.
        expect(shownToAll.includes(route.name ?? '') ? [200] : [403, 404], name).toContain(answer.status)
      else if (isAllowed && route.path.startsWith('/v1/profile_changes/') && role === 'member')
        // A request of another person.
        expect(answer.status, name).toBe(404)
      else if (isAllowed) expect(hasAccess(answer, route), `${name} ${answer.text}`).toBe(true)
      else expect([answer.status, answer.body.error.code], name).toEqual([403, 'insufficient_role'])
    }
  })
})

describe('a session of a person who is no member', () => {
  it('opens no route of a workspace, whatever the header says', async () => {
    const person = await app.signIn({ workspace: app.other, role: 'admin' })
    for (const route of guarded.filter(({ path }) => path.startsWith('/v1/'))) {
      const answer = await person.call(route.method, pathOf(route), {
        headers: { 'signoff-workspace': app.id },
        ...(route.body && { body: exampleBody(route) }),
      })
      expect([answer.status, answer.body.error.code], route.path).toEqual([404, 'not_found'])
    }
  })
})

/** Records that a route writes beside the one in its path. */
const furtherRecords: Readonly<Record<string, number>> = {
  'teammates.updateMany': -1, // the example is a dry run
  // The examples name a person who does not exist.
  'teammates.activate': -1,
  'teammates.deactivate': -1,
  'teammates.setImage': 1, // a file that is sent for a teammate becomes an asset
  'members.makeOwner': 1, // the old owner becomes an admin
  'publicationRequests.approve': 1, // the request, and the signature
  'profileChanges.approve': 1, // the teammate gets the value
}

// Last, because it changes and deletes records of the demo.
describe('a write', () => {
  it('adds an entry to the audit log for each record that it writes, in every route', async () => {
    const count = async (query: string) =>
      (await app.get(`/v1/audit_log?limit=1${query}`)).body.pagination.total_count
    // Changes of members also end sessions: how many depends on the tests before.
    const entries = async () => (await count('')) - (await count('&action=session.ended'))
    for (const route of guarded.filter(route => isWrite(route) && !route.unaudited)) {
      const path = await realPath(app, route)
      const before = await entries()
      const answer = await app.call(route.method, path, route.body ? { body: exampleBody(route) } : {})
      const name = `${route.method} ${route.path} ${answer.text}`
      const records = 1 + (furtherRecords[route.name ?? ''] ?? 0)
      if (answer.status < 300) expect(await entries(), name).toBe(before + records)
      else expect([409, 422], name).toContain(answer.status)
    }
  })

  it('of a person adds an entry too, in every route', async () => {
    const entries = async () => {
      const [row] = await app.db.query<{ count: number }>(sql`select count(*)::int as count from audit_log`)
      return row?.count ?? 0
    }
    const written: (string | null)[] = []
    const ofPeople = app.routes.filter(({ access }) => isOfAccount(access))
    for (const route of ofPeople.filter(route => isWrite(route) && !route.unaudited)) {
      const person = await app.signIn({ role: 'admin' })
      const path = await realPath(person, route)
      const before = await entries()
      const answer = await person.call(route.method, path, route.body ? { body: exampleBody(route) } : {})
      const name = `${route.method} ${route.path} ${answer.text}`
      if (answer.status >= 300) expect([401, 403, 404, 409, 422], name).toContain(answer.status)
      else {
        expect(await entries(), name).toBeGreaterThan(before)
        written.push(route.name)
      }
    }
    expect(written).toEqual(
      expect.arrayContaining(['auth.signOut', 'sessions.delete', 'me.updateAccount', 'me.beginTotp']),
    )
  })
})
