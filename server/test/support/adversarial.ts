// Large and hostile input for every string, list, file and expression of the route table, up to the allowed size: long
// runs, repeated separators, nesting, and input that has blocked the service before.
import type { Route } from '#kernel/api/routes.ts'
import { exampleBody } from './examples.ts'
import { roundRobin } from './runs.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly contentEncoding?: string
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maximum?: number
  readonly items?: Schema
}

/** Ids of existing records, by the names of the properties that take them. */
export type KnownIds = Readonly<Record<string, string>>

const mailboxes = `${'b,'.repeat(10)}b`

/** Units to repeat: each has been slow somewhere, or could be slow. */
const units: Readonly<Record<string, string>> = {
  letters: 'a',
  blanks: ' ',
  'tabs and letters': '\ta',
  'line breaks': '\n',
  'at signs': 'a@',
  commas: 'a,',
  brackets: '(0',
  'opening tags': '<a',
  'plus signs': '+1 ',
  dots: 'a.',
  slashes: 'http://',
  'template braces': '{{',
  quotes: '"\'&',
  backslashes: '\\',
  percent: '%',
  emoji: '\u{1F600}',
  hebrew: '\u05d0',
  'combining marks': 'a\u0301',
}

/** Pairs of name and text. The texts have at most this many characters. */
export const hostileTexts = (length: number): readonly (readonly [string, string])[] => [
  ...Object.entries(units).map(
    ([name, unit]) => [name, unit.repeat(Math.floor(length / unit.length))] as const,
  ),
  ['a mailto link', `mailto:a@${Array(14).fill(mailboxes).join('@')}@`.slice(0, length)],
  ['an address', `a@${'b.'.repeat(length)}`.slice(0, Math.min(length, 250))],
  ['letters, then something else', `${'a'.repeat(Math.max(0, length - 1))}!`],
  ['a web address', `https://${'a.'.repeat(length)}`.slice(0, Math.min(length, 2_000))],
  ['a colour', `rgb(1${' '.repeat(length)}`.slice(0, Math.min(length, 60))],
]

/** Only one text per place, to save time, and the texts take turns: expressions.test.ts proves for every expression that no text is slow. */
const textNames = hostileTexts(1).map(([name]) => name)
const nextNames = roundRobin(textNames, 1)
export function someHostileTexts(length: number): readonly (readonly [string, string])[] {
  const names = nextNames()
  return hostileTexts(length).filter(([name]) => names.includes(name))
}

const typeOf = ({ type }: Schema): string | undefined => (typeof type === 'string' ? type : type?.[0])

const maxText = 900_000

/** The largest value of a schema within `budget` characters, with `text` in every free text. */
function largestValue(
  schema: Schema,
  text: string,
  knownIds: KnownIds,
  budget: { left: number },
  name = '',
): unknown {
  if (budget.left <= 0) return null
  if (schema.enum) return schema.enum.find(value => value !== null)
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, inner]) => [
        key,
        largestValue(inner, text, knownIds, budget, key),
      ]),
    )
  const type = typeOf(schema)
  if (type === 'array') {
    const items: unknown[] = []
    while (items.length < (schema.maxItems ?? 100_000) && budget.left > 0)
      items.push(largestValue(schema.items ?? {}, text, knownIds, budget, name))
    return items
  }
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return schema.maximum ?? 1
  if (schema.format === 'uuid') {
    budget.left -= 40
    return knownIds[name] ?? '01a1e0a4-15b9-71f7-98af-f25f4b8294b4'
  }
  if (schema.format === 'date-time') return '2030-01-01T00:00:00Z'
  const value = text.slice(0, Math.min(schema.maxLength ?? text.length, Math.max(1, budget.left)))
  budget.left -= Buffer.byteLength(JSON.stringify(value))
  return value
}

/** The path of every free text in a schema, with its maximum length. */
function* freeTexts(
  schema: Schema,
  path: readonly string[] = [],
): Generator<readonly [readonly string[], number]> {
  if (schema.enum || schema.format === 'uuid' || schema.format === 'date-time' || schema.contentEncoding)
    return
  if (schema.properties)
    for (const [key, inner] of Object.entries(schema.properties)) yield* freeTexts(inner, [...path, key])
  else if (typeOf(schema) === 'array') yield* freeTexts(schema.items ?? {}, [...path, '0'])
  else if (typeOf(schema) === 'string') yield [path, Math.min(schema.maxLength ?? maxText, maxText)]
}

function withValue(base: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value
  if (step === '0') return [withValue(Array.isArray(base) ? base[0] : undefined, rest, value)]
  return {
    ...(base as object),
    [step]: withValue((base as Record<string, unknown> | undefined)?.[step], rest, value),
  }
}

/** Fewer: such a body has almost a megabyte, and its texts are those that single places get as well. */
const nextNamesOfLargeBodies = roundRobin(textNames, 1)
const nextLengths = roundRobin([8, 200, 5_000], 2)

export interface Hostile {
  readonly what: string
  readonly payload: string
}

/** Bodies for a route: valid bodies with one hostile text each, then bodies that are hostile everywhere. */
export function* hostileBodies(route: Route, knownIds: KnownIds): Generator<Hostile> {
  if (!route.body) return
  const { schema, wrapper } = route.body
  const wrap = (inner: unknown): string => JSON.stringify(wrapper ? { [wrapper.name]: inner } : inner)
  const example = exampleBody(route)
  const inner = wrapper ? (example as Record<string, unknown>)[wrapper.name] : example
  for (const [path, length] of freeTexts(schema as Schema))
    for (const [name, text] of someHostileTexts(length))
      yield { what: `${name} in ${path.join('.')}`, payload: wrap(withValue(inner, path, text)) }
  for (const length of nextLengths()) {
    const names = nextNamesOfLargeBodies()
    for (const [name, text] of hostileTexts(length).filter(([name]) => names.includes(name))) {
      const body = largestValue(schema as Schema, text, knownIds, { left: maxText })
      yield { what: `${name} everywhere, ${length} at a time`, payload: wrap(body) }
    }
  }
}

/** Content trees at their limits: 500 blocks, depth 12, 256 KB. `fields` are ids of smart fields of the kind text. */
export function hostileTrees(fields: readonly string[]): readonly (readonly [string, object])[] {
  const smartTokens = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ smartFieldUuid: fields[i % fields.length] }))
  const texts = (count: number, tokens: object[]) =>
    Array.from({ length: count }, () => ({ type: 'text', tokens }))
  const stack = (children: readonly object[]) => ({ type: 'stack', children })
  const nested = (depth: number): object =>
    stack(depth === 0 ? texts(400, [{ value: 'x' }]) : [nested(depth - 1)])
  const params = Array.from({ length: 50 }, (_, n) => ({ key: `k${n}`, values: smartTokens(50) }))
  return [
    ['long lines of smart fields', stack(texts(40, smartTokens(90)))],
    ['many lines of smart fields', stack(texts(499, smartTokens(7)))],
    [
      'parameters',
      stack(texts(1, [{ value: 'x', href: { text: 'https://a.example', queryParams: params } }])),
    ],
    ['links of smart fields', stack(texts(499, [{ value: 'x', href: { smartFieldUuid: fields[0] } }]))],
    [
      'many links',
      stack(
        texts(
          400,
          Array.from({ length: 11 }, () => ({ value: 'x', href: { text: 'https://a.example' } })),
        ),
      ),
    ],
    ['places for banners', stack(Array.from({ length: 499 }, () => ({ type: 'marketing' })))],
    ['nesting', nested(10)],
    ['too many blocks', stack(texts(5_000, [{ value: '' }]))],
    [
      'too many unknown properties',
      { ...stack([]), ...Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`p${n}`, n])) },
    ],
  ]
}

/** Content trees with hostile texts, and with hostile links. */
export function treesOfHostileTexts(): readonly (readonly [string, object])[] {
  const stack = (token: object) => ({
    type: 'stack',
    children: Array.from({ length: 45 }, () => ({ type: 'text', tokens: [token] })),
  })
  return hostileTexts(2_000).flatMap(([name, text]) => [
    [name, stack({ value: text })],
    [`links of ${name}`, stack({ value: 'x', href: { text } })],
  ])
}

const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inner}</svg>`

/** Files as JSON strings without their quotes, up to 20 MB. */
export function hostileFiles(): Record<'texts' | 'pictures', readonly (readonly [string, string])[]> {
  const megabytes = (unit: string, count: number) => unit.repeat((count * 1024 * 1024) / unit.length)
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const texts = [
    ['nothing but blanks', megabytes(' ', 20)],
    ['blanks between all', megabytes(' A', 20)],
    ['line breaks between all', megabytes('A\\n', 20)],
    ['slashes with backslashes', megabytes('\\/', 20)],
    ['escaped quotes', megabytes('\\"', 20)],
    ['zeros', megabytes('AAAA', 20)],
    ['signs of equality', megabytes('====', 20)],
  ] as const
  const pictures = [
    ['an SVG of tags without end', base64(`<svg${'<A'.repeat(32_000)}`)],
    ['a large SVG of tags without end', base64(`<svg ${'<A'.repeat(3_000_000)}`)],
    ['an SVG with a DOCTYPE of blanks', base64(`<!DOCTYPE${' '.repeat(65_000)}<svg`)],
    ['an SVG with blanks before it', base64(`${' '.repeat(7_000_000)}${svg('')}`)],
    ['an SVG of comments', base64(`${'<!---->'.repeat(1_000_000)}${svg('')}`)],
    ['an SVG of addresses', base64(svg(`<a href="data:`.repeat(200_000)))],
    ['an SVG of escapes', base64(svg(`<a href="${'&#x64;'.repeat(500_000)}"/>`))],
    ['an SVG of many elements', base64(svg('<g/>'.repeat(1_000_000)))],
    ['a PNG of nothing', base64('\x89PNG\r\n\x1a\n').padEnd(5_000_000, 'A')],
    ['a text', base64('x'.repeat(10_000_000))],
  ] as const
  return { texts, pictures }
}
