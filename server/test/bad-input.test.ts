// Sends invalid input to every route: the response is never a 500, always has the error envelope (support/app.ts checks
// each response), and never blocks the event loop for long.
// @module-tag deep
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { isOfAccount, type Route } from '#kernel/api/routes.ts'
import { anyCharacter } from './support/any-character.ts'
import type { Answer, RequestOptions, SignedIn, TestApp } from './support/app.ts'
import { demoApp } from './support/demo.ts'
import { exampleBody, exampleQuery, realPath } from './support/examples.ts'
import { loopLimit, watchLoop } from './support/processes/loop-watch.ts'
import { roundRobin } from './support/runs.ts'
import { connectOutlook, createTeammateChange, createTestedWebhook } from './support/world.ts'

let app: TestApp
let paths: Map<Route, string>
let person: SignedIn
beforeAll(async () => {
  app = await demoApp({ env: { SIGNOFF_SMTP_URL: 'smtp://127.0.0.1:1' }, draws: true }) // no worker runs
  await createTestedWebhook(app)
  await connectOutlook(app)
  await createTeammateChange(app)
  paths = new Map()
  person = await app.signIn({ role: 'admin' })
  for (const route of app.routes)
    paths.set(route, await realPath(isOfAccount(route.access) ? person : app, route))
})

const pathOf = (route: Route) => paths.get(route) ?? ''
const withBody = () => app.routes.filter(route => route.body)

const deep = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)

/** As JSON text, because JSON.stringify cannot produce some of them. */
const badValues: Record<string, string> = {
  null: 'null',
  true: 'true',
  zero: '0',
  minus: '-1',
  'a fraction': '0.1',
  'a huge number': '1e308',
  infinity: '1e999',
  'beyond integers': '9007199254740993',
  'beyond 32 bits': '4294967296',
  'an empty text': '""',
  'a blank text': '" \\t\\n "',
  NUL: '"a\\u0000b"',
  'half a surrogate pair': '"\\ud800"',
  'the other half': '"x\\udfff"',
  'a whole pair': '"\\ud83d\\ude00"',
  'text that looks like SQL': `"'; drop table folders; --"`,
  'a long text': JSON.stringify('x'.repeat(6_000)),
  'a long word of wide letters': JSON.stringify('漢'.repeat(6_000)),
  'an empty list': '[]',
  'a list of lists': '[[[]]]',
  'an empty object': '{}',
  'a prototype': '{"__proto__":{"admin":true},"constructor":1,"toString":2}',
  'a property with NUL': '{"a\\u0000":1}',
  'a deep list': deep(5_000, '[', ']'),
  'a deep object': `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  'a bad UUID': '"01a1e0a4-15b9-71f7-98af-f25f4b8294bz"',
  'a date that is none': '"2026-02-30T25:61:00Z"',
}

interface Place {
  /** The value of the example. */
  readonly value: unknown
  /** The example with something else in this place. */
  with(inner: unknown): unknown
}

/** Every position in a value, and one for a property that is not in the schema. */
function* placesOf(value: unknown, rebuild: Place['with'] = inner => inner): Generator<Place> {
  yield { value, with: rebuild }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* placesOf(item, inner => rebuild(value.map((old, i) => (i === index ? inner : old))))
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      yield* placesOf(item, inner => rebuild({ ...value, [key]: inner }))
    }
    yield { value: undefined, with: inner => rebuild({ ...value, unheard_of: inner }) }
  }
}

/** The type of a JSON text: its first character. Numbers begin with several. */
const typeOf = (json: string | undefined): string => (json ?? '').charAt(0).replace(/[-\d]/, '0')

interface MomentSchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, MomentSchema>>
}

const momentName = /(?:^at|_at|_time|_date|since|until)$/

/** For every property that holds a day or an instant: the properties of a body in which it has a value. */
function* momentsOf({ properties = {} }: MomentSchema): Generator<(value: string) => object> {
  for (const [name, schema] of Object.entries(properties)) {
    const isText = [schema.type].flat().includes('string')
    if (isText && (momentName.test(name) || /date|instant/.test(schema.format ?? '')))
      yield value => ({ [name]: value })
    for (const inner of momentsOf(schema)) yield value => ({ [name]: inner(value) })
  }
}

type Values = readonly (readonly [name: string, json: string])[]

const inEveryPlace: readonly string[] = ['null', 'NUL', 'an empty text', 'a long text']

/**
 * A few values for every place, some of the type that the place expects, because they can pass the check of types, and
 * one of the others. Those take turns: SIGNOFF_TEST_RUNS=23 sends every value to every place.
 */
function createValuePicker(): (place: Place) => Values {
  const all: Values = Object.entries(badValues)
  const always = all.filter(([name]) => inEveryPlace.includes(name))
  const rotating = all.filter(([name]) => !inEveryPlace.includes(name))
  const pickers = new Map<string, readonly (() => Values)[]>()
  const pickersOf = (type: string) => {
    const isExpected = ([, json]: Values[number]) => typeOf(json) === type
    const others = rotating.filter(value => !isExpected(value))
    return [roundRobin(rotating.filter(isExpected), 2), roundRobin(others, 1)]
  }
  return ({ value }) => {
    const type = typeOf(JSON.stringify(value))
    const ofType = pickers.get(type) ?? pickersOf(type)
    pickers.set(type, ofType)
    return [...always, ...ofType.flatMap(pick => pick())]
  }
}

/** The paths of routes that need a session. */
const isPersonal = (path: string): boolean =>
  /^\/(?:v1\/sessions|auth\/(?:sign_out|password\/change))/.test(path)

/** Some requests end the session of their person, or remove the member. */
async function personalCall(): Promise<SignedIn['call']> {
  if ((await person.get('/v1/sessions')).status !== 200)
    person = await app.signIn({ role: 'admin', email: person.email })
  return person.call
}

async function send(method: string, path: string, sent: RequestOptions = {}): Promise<Answer> {
  const call = isPersonal(path) ? await personalCall() : app.call
  const { result, held } = await watchLoop(() => call(method, path, sent))
  expect(held, `${method} ${path} holds the event loop`).toBeLessThan(loopLimit)
  return result
}

const versions = { 'if-none-match': '"other", W/"weak"' }

const marker = '@@here@@'
function expectNoServerError(answer: Answer, what: string): void {
  expect(answer.status, `${what}: ${answer.text.slice(0, 300)}`).toBeLessThan(500)
}

describe('bad input', () => {
  it('in every place of every body, of its type and of others, is refused or accepted, never a 500', async () => {
    let sentCount = 0
    const valuesFor = createValuePicker()
    for (const route of withBody()) {
      for (const place of placesOf(exampleBody(route))) {
        for (const [name, text] of valuesFor(place)) {
          const payload = JSON.stringify(place.with(marker)).replace(JSON.stringify(marker), () => text)
          expectNoServerError(
            await send(route.method, pathOf(route), { payload }),
            `${route.method} ${route.path} with ${name}: ${payload.slice(0, 200)}`,
          )
          sentCount++
        }
      }
    }
    expect(sentCount).toBeGreaterThan(1_000)
  })

  it('that PostgreSQL cannot store is refused with its field, not changed silently', async () => {
    for (const text of ['"a\\u0000b"', '"\\ud800"', '"x\\udc00y"']) {
      const { status, body } = await send('POST', '/v1/folders', {
        payload: `{"folder":{"name":${text}}}`,
      })
      expect([status, body.details[0].field, body.details[0].code]).toEqual([422, 'name', 'invalid'])
    }
    const validPair = await send('POST', '/v1/folders', { payload: '{"name":"\\ud83d\\ude00 ok"}' })
    expect(validPair.body.data.name).toBe('😀 ok')
  })

  it('with hundreds of thousands of problems is answered fast, with 50 of them', async () => {
    const scopes = `[${'"",'.repeat(300_000)}""]`
    const { status, body, text } = await send('POST', '/v1/api_keys', {
      payload: `{"name":"x","scopes":${scopes}}`,
    })
    expect([status, body.details.length]).toEqual([422, 50])
    expect(body.details.map((detail: { code: string }) => detail.code)).toContain('too_many')
    expect(text.length).toBeLessThan(100_000)
    const row = `{"email":"a@b.c","smart_fields":[${'7,'.repeat(300_000)}7]}`
    const imported = await send('POST', '/v1/teammates/import', { payload: `{"teammates":[${row}]}` })
    expect(imported.body.data.failed[0].details).toHaveLength(50)
  })

  it('nested deeply, with an Idempotency-Key, is answered', async () => {
    const payload = `{"teammates":[${deep(30_000, '[', ']')}]}`
    const answer = await send('POST', '/v1/teammates/import', {
      payload,
      headers: { 'idempotency-key': 'deep' },
    })
    expect(answer.body.data.failed).toHaveLength(1)
  })

  it('that only contains a UUID is refused', async () => {
    const urn = 'urn:uuid:01a1e0a4-15b9-71f7-98af-f25f4b8294b4'
    for (const query of [
      'emails?teammate_id',
      'audit_log?resource_id',
      'integration_entities?integration_id',
      'teammates?missing_smart_field_id',
    ]) {
      expect((await app.get(`/v1/${query}=${urn}`)).status, query).toBe(422)
    }
    expect((await app.post('/v1/emails', { email: { teammate_id: urn, address: 'a@b.c' } })).status).toBe(422)
  })

  it('of random JSON is answered', async () => {
    const json = fc.oneof(fc.json({ maxDepth: 4 }), fc.json({ maxDepth: 4, stringUnit: anyCharacter }))
    const route = fc.constantFrom(...withBody())
    await fc.assert(
      fc.asyncProperty(route, json, async (route, payload) => {
        expectNoServerError(
          await send(route.method, pathOf(route), { payload }),
          `${route.method} ${route.path} ${payload}`,
        )
      }),
      { numRuns: 300 },
    )
  })

  it('with a wrong content type, for any method, is answered', async () => {
    const types = [
      'text/plain',
      'application/xml',
      'application/json; charset=latin1',
      'x',
      ';',
      'application/json,text/html',
    ]
    const nextTypes = roundRobin(types, 2) // the same parser reads the bodies of all routes
    for (const route of app.routes.filter(route => route.method !== 'GET')) {
      for (const type of nextTypes()) {
        expectNoServerError(
          await send(route.method, pathOf(route), { payload: '{"a":1}', headers: { 'content-type': type } }),
          `${route.method} ${route.path} ${type}`,
        )
      }
    }
  })

  it('in ids, queries and versions is answered', async () => {
    const texts = [
      '',
      '0',
      '-1',
      '1e999',
      '%00',
      '%F0%9F%98%80',
      '%FF',
      '%',
      "'--",
      'x'.repeat(3_000),
      '[]',
      '{}',
      'null',
      '..%2f..',
      '%ud800',
    ]
    const nextTexts = roundRobin(texts, 2) // of the parameters, which are the same in many routes
    const nextIds = roundRobin(texts, 2)
    for (const route of app.routes) {
      const names = Object.keys(route.query?.properties ?? { any: 1 })
      for (const name of names)
        for (const text of nextTexts())
          expectNoServerError(
            await send(route.method, `${pathOf(route)}?${name}=${text}&${name}[]=1`, { headers: versions }),
            `${route.path}?${name}=${text}`,
          )
      for (const text of nextIds()) {
        if (route.path.includes('{')) {
          expectNoServerError(
            await send(
              route.method,
              route.path.replace(/\{\w+\}/g, text),
              route.body ? { body: exampleBody(route) } : {},
            ),
            `${route.path} ${text}`,
          )
        }
      }
    }
  })

  it('of moments beyond what PostgreSQL, JavaScript or four digits hold is answered', async () => {
    const extremes = [
      '0000-01-01',
      '0000-12-31T23:59:59.999Z',
      '0001-01-01T00:00:00+23:59', // in the year 0 of UTC
      '-000001-01-01T00:00:00Z',
      '9999-12-31',
      '9999-12-31T23:59:59-23:59', // in the year 10000 of UTC
      '+275760-09-13T00:00:00.000Z',
      '294277-01-01T00:00:00Z',
      '2016-12-31T23:59:60Z',
      'infinity',
    ]
    const names = new Set<string>()
    for (const route of app.routes) {
      for (const query of momentsOf((route.query ?? {}) as MomentSchema))
        for (const text of extremes) {
          const path = `${pathOf(route)}?${new URLSearchParams(query(text) as Record<string, string>)}`
          expectNoServerError(await send(route.method, path), `${route.method} ${path}`)
          names.add(Object.keys(query(text)).join())
        }
      for (const fields of momentsOf((route.body?.schema ?? {}) as MomentSchema))
        for (const text of extremes) {
          const { wrapper } = route.body ?? {}
          const example = exampleBody(route) as Record<string, object>
          const inner = { ...(wrapper ? example[wrapper.name] : example), ...fields(text) }
          const body = wrapper ? { [wrapper.name]: inner } : inner
          const answer = await send(route.method, pathOf(route), { body })
          expectNoServerError(answer, `${route.method} ${route.path} ${JSON.stringify(body)}`)
          names.add(Object.keys(fields(text)).join())
        }
    }
    expect([...names].sort()).toEqual([
      ...['at', 'end_date', 'end_time', 'expires_at', 'filter', 'since', 'start_date', 'start_time'],
      ...['until', 'updated_since'],
    ])
  })

  it('of versions is answered by every write', async () => {
    for (const route of app.routes.filter(({ method }) => method !== 'GET'))
      expectNoServerError(
        await send(route.method, `${pathOf(route)}${exampleQuery(route)}`, {
          ...(route.body && { body: exampleBody(route) }),
          headers: { ...versions, 'if-match': '"other", W/"weak"' },
        }),
        `${route.method} ${route.path}`,
      )
  })

  it('in headers is answered', async () => {
    for (const headers of [
      { 'idempotency-key': ' ' },
      { 'idempotency-key': 'ü'.repeat(100) },
      { 'if-match': '' },
      { 'if-match': ',,' },
      { 'x-request-id': '\u00ff' },
      { authorization: `Bearer ${'x'.repeat(8_000)}` },
    ]) {
      expectNoServerError(
        await send('POST', '/v1/folders', {
          body: { name: 'x' },
          headers: headers as unknown as Record<string, string>,
        }),
        JSON.stringify(headers),
      )
      expectNoServerError(
        await send('PATCH', '/v1/folders/01a1e0a4-15b9-71f7-98af-f25f4b8294b4', {
          body: {},
          headers: headers as unknown as Record<string, string>,
        }),
        JSON.stringify(headers),
      )
    }
  })
})
