// Every method of the SDK: new routes are covered without a change here.

import { Signoff } from '@signoff/sdk'
import { beforeAll, describe, expect, it } from 'vitest'
import { examples } from '../../server/src/api/openapi/examples.ts'
import { readConfig } from '../../server/src/config.ts'
import { isOfWorkspace, isWrite, type Route } from '../../server/src/kernel/api/routes.ts'
import { buildParts } from '../../server/src/parts.ts'
import { apiRoutes } from '../../server/src/routes.ts'
import type { TestApp } from '../../server/test/support/app.ts'
import { demoApp } from '../../server/test/support/demo.ts'
import { exampleBody, exampleQuery, realPath } from '../../server/test/support/examples.ts'
import { connectOutlook, createTeammateChange, createTestedWebhook } from '../../server/test/support/world.ts'
import { listen } from './support/listen.ts'

type AnyCall = Promise<unknown> & { raw(): Promise<{ status: number; body: unknown }> }
type AnyMethod = (...args: unknown[]) => AnyCall

/** Programs have keys: routes of people who are signed in are not in the SDK. */
const routes = apiRoutes(buildParts(readConfig({}))).filter(({ access }) => isOfWorkspace(access))
const id = '01a1e0a4-15b9-71f7-98af-f25f4b8294b4'

/** The method that has the name of the route. */
const methodOf = (signoff: Signoff, { name }: Route): AnyMethod =>
  (name ?? '')
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], signoff) as AnyMethod

const takesParams = ({ body, query }: Route): boolean =>
  body !== undefined || Object.keys(query?.properties ?? {}).length > 0

/** `{"folder": {…}}` → the inner object. */
const unwrapped = ({ body }: Route, sent: unknown): object =>
  (body?.wrapper ? (sent as Record<string, object>)[body.wrapper.name] : (sent as object)) ?? {}

const pathValues = (route: Route, path: string): string[] => {
  const segments = path.split('/')
  return route.path.split('/').flatMap((segment, at) => (segment.startsWith('{') ? [segments[at] ?? ''] : []))
}

describe('a method', () => {
  it('exists for every route, and for nothing else', () => {
    const signoff = new Signoff({ url: 'https://signoff.example.com', key: 'sgn_x' })
    const namesIn = (value: object, prefix: string): string[] =>
      Object.entries(value).flatMap(([name, inner]) =>
        typeof inner === 'function' ? [prefix + name] : namesIn(inner, `${prefix}${name}.`),
      )
    expect(namesIn(signoff, '').toSorted()).toEqual(routes.map(({ name }) => name).toSorted())
  })

  it.each(routes.map(route => [route.name, route] as const))(
    '%s sends what was recorded, and answers what was recorded',
    async (name, route) => {
      const { request, answer } = examples[name ?? ''] ?? {}
      const sent: Request[] = []
      const signoff = new Signoff({
        url: 'https://signoff.example.com/below/',
        key: 'sgn_x',
        fetch: async (url, init) => {
          sent.push(new Request(url, init))
          return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer)
        },
      })
      const values = pathValues(route, route.path).map((_, index) => `${id}${index}`)
      const query = route.method === 'GET' ? { limit: 7, search: 'a b&c' } : {}
      const names = Object.keys(route.query?.properties ?? {}).filter(() => route.body)
      const inQuery = Object.fromEntries(names.map(each => [each, 'word']))
      const params = request === undefined ? query : { ...unwrapped(route, request), ...inQuery }
      const call = methodOf(signoff, route)(...values, ...(takesParams(route) ? [params] : []), {
        headers: { 'x-request-id': 'mine' },
      })
      expect((await call.raw()).body).toEqual(answer)
      expect(await call).toEqual((answer as { data?: unknown } | undefined)?.data)
      expect(sent).toHaveLength(1)
      const { method, url, headers } = sent[0] as Request
      const body = await sent[0]?.text()
      const { pathname, searchParams } = new URL(url)
      const filled = values.reduce((path, value) => path.replace(/\{\w+\}/, value), route.path)
      expect(`${method} ${pathname}`).toBe(`${route.method} /below${filled}`)
      const expectedQuery =
        route.method === 'GET' && takesParams(route) ? { limit: '7', search: 'a b&c' } : inQuery
      expect(Object.fromEntries(searchParams)).toEqual(
        request === undefined && !takesParams(route) ? {} : expectedQuery,
      )
      if (request !== undefined) expect(JSON.parse(body ?? '')).toEqual(request)
      expect(headers.get('authorization')).toBe('Bearer sgn_x')
      expect(headers.get('x-request-id')).toBe('mine')
      expect(headers.has('idempotency-key')).toBe(route.method === 'POST' && isWrite(route))
    },
  )
})

describe('against the service', () => {
  let app: TestApp
  let signoff: Signoff
  const served: (string | null | undefined)[] = []
  beforeAll(async () => {
    app = await demoApp({ env: { SIGNOFF_SMTP_URL: 'smtp://127.0.0.1:1' }, draws: true }) // no worker runs
    app.http.addHook('onRequest', async ({ routeOptions, headers }) => {
      if (headers['user-agent']?.startsWith('signoff-sdk/')) served.push(routeOptions.config.route?.name)
    })
    await createTestedWebhook(app)
    await createTeammateChange(app)
    await connectOutlook(app)
    signoff = new Signoff({ url: await listen(app), key: app.key, maxRetries: 0 })
  })

  it('every method reaches its route and reads its answer', { tags: ['deep'] }, async () => {
    const refused: string[] = []
    for (const route of routes) {
      const path = await realPath(app, route)
      const params = {
        ...Object.fromEntries(new URLSearchParams(exampleQuery(route))),
        ...(route.body && unwrapped(route, exampleBody(route))),
      }
      const args = [...pathValues(route, path), ...(takesParams(route) ? [params] : [])]
      const call = methodOf(signoff, route)(...args)
      const answer = await call.raw().catch(error => error)
      expect(served.at(-1), `${route.name}`).toBe(route.name)
      if (answer instanceof Error) {
        refused.push(`${route.name}`)
        expect([409, 422, 503], `${route.name} ${answer}`).toContain(
          (answer as Error & { status: number }).status,
        )
        continue
      }
      const schema = route.answers[answer.status] as { contentMediaType?: string } | null | undefined
      const data = await call
      if (schema === null) expect(data, `${route.name}`).toBeUndefined()
      else if (schema?.contentMediaType) expect((await (data as Response).blob()).size).toBeGreaterThan(0)
      else expect(data, `${route.name}`).toEqual((answer.body as { data: unknown }).data)
    }
    expect(served).toHaveLength(routes.length)
    // Requests that an example cannot make valid, such as one for a state that the demo does not have.
    expect(refused.length).toBeLessThan(routes.length / 8)
  })
})
