// Random filters over random people and groups, answered by the service, and by a model that follows RFC 7644 on what
// the service shows without a filter.
// @module-tag random
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import {
  connectScim,
  enterpriseSchema,
  groupSchema,
  type ScimProvider,
  userSchema,
} from '#test/support/directories/scim.ts'
import { runs } from '#test/support/runs.ts'
import { testSeed } from '#test/support/seed.ts'

type Json = Record<string, unknown>

/** An attribute as the RFC describes it, and its path in a resource. */
interface Attribute {
  readonly name: string
  readonly kind: 'text' | 'exact' | 'boolean' | 'date' | 'complex'
  readonly urn?: string
  /** The entries of a list; a value that is not in a list is a list of one. */
  readonly entries: (resource: Json) => readonly unknown[]
  /** It is compared within the brackets of a list. */
  readonly isInner?: boolean
}

const inside = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce((at, step) => (at as Json | undefined)?.[step], value)

const single = (kind: Attribute['kind'], name: string, urn?: string): Attribute => ({
  name,
  kind,
  ...(urn !== undefined && { urn }),
  entries: resource => [inside(urn === enterpriseSchema ? resource[urn] : resource, name.split('.'))],
})
const listed = (kind: Attribute['kind'], name: string, urn: string): Attribute => ({
  name,
  kind,
  urn,
  entries: resource => {
    const [list = '', ...part] = name.split('.')
    return ((resource[list] ?? []) as unknown[]).map(entry => inside(entry, part))
  },
})

interface Kind {
  readonly path: string
  readonly attributes: readonly Attribute[]
  readonly lists: Readonly<Record<string, readonly Attribute[]>>
}

const partsOf = (parts: string, urn: string): Attribute[] =>
  parts.split(' ').map(part => {
    const [name = '', kind = 'text'] = part.split(':')
    return listed(kind as Attribute['kind'], name, urn)
  })
const common = [
  single('exact', 'id'),
  single('date', 'meta.created'),
  single('date', 'meta.lastModified'),
  single('exact', 'meta.resourceType'),
  listed('exact', 'schemas', userSchema),
]
const innerOf = (parts: string, urn: string): Attribute[] =>
  partsOf(parts, urn).map(part => ({
    ...part,
    entries: entry => [entry[part.name]],
    isInner: true,
  }))

const users: Kind = {
  path: '/Users',
  attributes: [
    ...common,
    ...['userName', 'displayName', 'title', 'nickName', 'name.givenName', 'name.familyName'].map(name =>
      single('text', name, userSchema),
    ),
    ...['department', 'costCenter', 'manager.displayName'].map(name =>
      single('text', name, enterpriseSchema),
    ),
    single('exact', 'manager.value', enterpriseSchema),
    single('exact', 'externalId'),
    single('boolean', 'active', userSchema),
    ...partsOf('emails.value emails.type emails.primary:boolean emails:complex', userSchema),
    ...partsOf('phoneNumbers.value phoneNumbers.type addresses.locality addresses:complex', userSchema),
    single('complex', 'name', userSchema),
    single('complex', 'manager', enterpriseSchema),
  ],
  lists: {
    emails: innerOf('value type primary:boolean', userSchema),
    phoneNumbers: innerOf('value type', userSchema),
    addresses: innerOf('locality type', userSchema),
  },
}
const groups: Kind = {
  path: '/Groups',
  attributes: [
    ...common.slice(0, 4),
    single('text', 'displayName', groupSchema),
    single('exact', 'externalId'),
    ...partsOf('members.value:exact members.display members.type members:complex', groupSchema),
  ],
  lists: { members: innerOf('value:exact display type', groupSchema) },
}

type Filter =
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly op: 'not'; readonly filter: Filter }
  | { readonly op: 'entry'; readonly list: string; readonly urn: string; readonly filter: Filter }
  | { readonly op: 'compare'; readonly attribute: Attribute; readonly by: string; readonly value: unknown }

function comparisonsIn(filter: Filter): number {
  if ('filters' in filter) return filter.filters.reduce((sum, inner) => sum + comparisonsIn(inner), 0)
  return 'filter' in filter ? comparisonsIn(filter.filter) : 1
}

const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && JSON.stringify(value) !== '{}'

/** Compares by code points, as no locale has a say. */
function order(a: string, b: string): number {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return Buffer.compare(left, right)
}

const byOrder: Readonly<Record<string, (order: number) => boolean>> = {
  eq: n => n === 0,
  ne: n => n !== 0,
  gt: n => n > 0,
  ge: n => n >= 0,
  lt: n => n < 0,
  le: n => n <= 0,
}

function matches(kind: Attribute['kind'], by: string, stored: unknown, value: unknown): boolean {
  if (by === 'pr') return isPresent(stored)
  // RFC 7643, section 2.4: an entry without `primary` is not the primary one.
  if (kind === 'boolean') return ((stored ?? false) === value) === (by === 'eq')
  if (typeof stored !== 'string') return by === 'ne'
  if (kind === 'date') return byOrder[by]?.(Date.parse(stored) - Date.parse(String(value))) ?? false
  const fold = (text: string) => (kind === 'exact' ? text : text.toLowerCase())
  const [a, b] = [fold(stored), fold(String(value))]
  if (by === 'co') return a.includes(b)
  if (by === 'sw') return a.startsWith(b)
  if (by === 'ew') return a.endsWith(b)
  return byOrder[by]?.(order(a, b)) ?? false
}

function holds(filter: Filter, resource: Json): boolean {
  if ('filters' in filter) {
    const results = filter.filters.map(inner => holds(inner, resource))
    return filter.op === 'and' ? results.every(Boolean) : results.some(Boolean)
  }
  if (filter.op === 'not') return !holds(filter.filter, resource)
  if (filter.op === 'entry')
    return ((resource[filter.list] ?? []) as Json[]).some(entry => holds(filter.filter, entry))
  const { attribute, by, value } = filter
  const entries = attribute.entries(resource)
  // RFC 7643, section 2.5: null, an empty list and no value are the same.
  if (value === null) return entries.some(isPresent) === (by === 'ne')
  if (entries.length === 0) return by === 'ne'
  return entries.some(stored => matches(attribute.kind, by, stored, value))
}

const swapped = (text: string): string =>
  text.replace(/[a-z]/gi, letter =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** A filter as a client can write it: names and operators in any case, and parentheses that are not needed. */
function textOf(filter: Filter, isOdd: () => boolean): string {
  const write = (inner: Filter) => textOf(inner, isOdd)
  if (filter.op === 'not') return `${isOdd() ? 'NOT' : 'not '}(${write(filter.filter)})`
  if ('filters' in filter)
    return filter.filters
      .map(inner =>
        inner.op === 'or' || inner.op === filter.op || isOdd() ? `(${write(inner)})` : write(inner),
      )
      .join(isOdd() ? ` ${filter.op.toUpperCase()} ` : `  ${filter.op} `)
  const prefixed = (name: string, urn: string | undefined) =>
    urn !== undefined && (urn === enterpriseSchema || isOdd())
      ? `${isOdd() ? swapped(urn) : urn}:${name}`
      : name
  if (filter.op === 'entry') return `${prefixed(filter.list, filter.urn)}[${write(filter.filter)}]`
  const { attribute, by, value } = filter
  const name = isOdd() ? swapped(attribute.name) : attribute.name
  const path = prefixed(name, attribute.isInner ? undefined : attribute.urn)
  const operator = isOdd() ? by.toUpperCase() : by
  if (by === 'pr') return `${path} ${operator}`
  const escaped = (text: string) =>
    isOdd()
      ? text.replace(/[^\w"\\\s]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : text
  return `${path} ${operator} ${escaped(JSON.stringify(value))}`
}

const words = ['Ada', 'ada', 'Éclair', 'x%', '_y', 'a\\b', 'say "hi"', 'tab\there', '漢字', '😀 ok', 'A', '']
const operators = {
  text: ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'],
  boolean: ['eq', 'ne', 'pr'],
  date: ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'pr'],
  complex: ['pr'],
}

/** Values that are stored, parts of them in another case, and others. */
const valuesFor = (resources: readonly Json[], { kind, entries }: Attribute): fc.Arbitrary<unknown> => {
  if (kind === 'boolean') return fc.boolean()
  const stored = resources.flatMap(resource => entries(resource)).filter(value => typeof value === 'string')
  if (kind === 'date')
    return fc
      .tuple(fc.constantFrom(...(stored as string[])), fc.integer({ min: -2, max: 2 }), fc.boolean())
      .map(([text, later, isOffset]) => {
        const at = Date.parse(text) + later
        if (!isOffset) return new Date(at).toISOString()
        return new Date(at + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
      })
  const pool = [...words, ...(stored as string[])]
  const part = fc
    .tuple(fc.constantFrom(...pool), fc.nat({ max: 8 }), fc.nat({ max: 8 }))
    .map(([text, from, length]) =>
      [...text]
        .slice(from, from + length)
        .join('')
        .trim(),
    )
  return fc.oneof(fc.constantFrom(...pool), fc.constantFrom(...pool).map(swapped), part)
}

function filtersOf({ attributes, lists }: Kind, resources: readonly Json[]): fc.Arbitrary<Filter> {
  const comparison = (attribute: Attribute, sources: readonly Json[]): fc.Arbitrary<Filter> => {
    const all = attribute.kind === 'exact' ? operators.text : operators[attribute.kind]
    const value = fc.oneof({ weight: 9, arbitrary: valuesFor(sources, attribute) }, fc.constant(null))
    return fc
      .tuple(fc.constantFrom(...all), value)
      .filter(([by, sent]) => by === 'pr' || sent !== null || by === 'eq' || by === 'ne')
      .map(([by, sent]) => ({ op: 'compare', attribute, by, value: by === 'pr' ? undefined : sent }))
  }
  const tree = (leaf: fc.Arbitrary<Filter>) =>
    fc.letrec<{ filter: Filter }>(tie => {
      const many = fc.array(tie('filter'), { minLength: 2, maxLength: 3 })
      return {
        filter: fc.oneof(
          { maxDepth: 3, depthSize: 'small' },
          leaf,
          fc.record({ op: fc.constant('not' as const), filter: tie('filter') }),
          fc.record({ op: fc.constantFrom('and' as const, 'or' as const), filters: many }),
        ),
      }
    }).filter
  const inLists = Object.entries(lists).map(([list, parts]) => {
    const entries = resources.flatMap(resource => (resource[list] ?? []) as Json[])
    return fc.record({
      op: fc.constant('entry' as const),
      list: fc.constant(list),
      urn: fc.constant(parts[0]?.urn ?? ''),
      filter: tree(fc.oneof(...parts.map(part => comparison(part, entries)))),
    })
  })
  const single = fc.oneof(...attributes.map(attribute => comparison(attribute, resources)))
  return tree(fc.oneof({ weight: 3, arbitrary: single }, ...inLists))
}

let app: TestApp
let scim: ScimProvider

const text = fc.constantFrom(...words.filter(word => word !== ''))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const person = fc.record({
  title: maybe(fc.constantFrom(...words)),
  nickName: maybe(text),
  displayName: maybe(text),
  name: maybe(fc.record({ givenName: text, familyName: maybe(text) })),
  active: fc.boolean(),
  externalId: maybe(text),
  types: fc.array(fc.constantFrom('work', 'Home', undefined), { maxLength: 3 }),
  primary: maybe(fc.boolean()),
  phoneNumbers: maybe(fc.array(fc.record({ value: text, type: maybe(text) }), { maxLength: 2 })),
  addresses: maybe(fc.array(fc.record({ locality: maybe(text), type: maybe(text) }), { maxLength: 2 })),
  extension: maybe(
    fc.record({
      department: maybe(text),
      costCenter: maybe(text),
      manager: maybe(fc.record({ value: text, displayName: maybe(text) })),
    }),
  ),
})

beforeAll(async () => {
  app = await testApp()
  scim = await connectScim(app)
  const ids: string[] = []
  for (const [n, sample] of fc.sample(person, { numRuns: 14, seed: testSeed }).entries()) {
    const { types, primary, extension, ...rest } = sample
    const emails = types.map((type, at) => ({
      value: `Person${n}.${at}@Example.com`,
      type,
      ...(at === 0 && { primary }),
    }))
    const sent = { ...rest, userName: `P${n}@example.com`, emails, [enterpriseSchema]: extension }
    const created = await scim.post('/Users', sent)
    expect(created.status, created.text).toBe(201)
    ids.push(created.body.id)
  }
  for (const [n, name] of ['Sales', 'sales 2', 'x%', '漢字', 'Empty'].entries()) {
    const members = name === 'Empty' ? [] : ids.filter((_, at) => at % 4 === n)
    const { body } = await scim.post('/Groups', {
      displayName: name,
      ...(n % 2 === 0 && { externalId: `G${n}` }),
      members: members.map(value => ({ value })),
    })
    if (n < 2) ids.push(body.id)
  }
  await scim.patch(`/Users/${ids[0]}`, { op: 'add', path: 'title', value: 'Later' })
})

const listOf = async ({ path }: Kind, query = ''): Promise<Json[]> => {
  const { status, body, text } = await scim.get(`${path}?count=200${query}`)
  expect(status, text).toBe(200)
  return body.Resources
}
const idsOf = (resources: readonly Json[]) => resources.map(({ id }) => id)

describe('random filters', () => {
  it.each([
    ['users', users, 150],
    ['groups', groups, 60],
  ] as const)('find the %s that the model finds', async (_, kind, numRuns) => {
    const resources = await listOf(kind)
    const odd = fc.infiniteStream(fc.boolean())
    let some = 0
    await fc.assert(
      fc.asyncProperty(filtersOf(kind, resources), odd, async (filter, stream) => {
        const written = textOf(filter, () => stream.next().value ?? false)
        fc.pre(written.length <= 4_000 && comparisonsIn(filter) <= 50)
        const query = `&filter=${encodeURIComponent(written)}`
        const expected = idsOf(resources.filter(resource => holds(filter, resource)))
        expect(idsOf(await listOf(kind, query)), written).toEqual(expected)
        if (expected.length > 0 && expected.length < resources.length) some++
        const page = (await scim.get(`${kind.path}?count=2&startIndex=2${query}`)).body
        expect([page.totalResults, idsOf(page.Resources)]).toEqual([expected.length, expected.slice(1, 3)])
      }),
      { numRuns: runs(numRuns) },
    )
    expect(some).toBeGreaterThan(runs(numRuns) / 5)
  })
})
