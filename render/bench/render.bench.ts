import { type Block, type Content, compile, validateContent } from '../src/index.ts'
import { byHand } from './by-hand.ts'
import type { Bench, Figure } from './figures.ts'
import { fillOf, people, surroundings, type TypicalPerson, typical } from './typical.ts'

const template = compile(typical, surroundings)

/** Short enough that other processes do not interrupt every round. */
const roundNanoseconds = 10e6

/** Nanoseconds per call: the best of several short rounds, in which the calls alternate. */
function fastest(rounds: number, ...calls: ((n: number) => unknown)[]): number[] {
  const best = calls.map(() => Number.POSITIVE_INFINITY)
  const times = calls.map(() => 1)
  let missing = 0
  for (let round = 0; round < rounds; round++) {
    calls.forEach((call, index) => {
      const count = times[index] as number
      const start = process.hrtime.bigint()
      for (let n = 0; n < count; n++) missing += call(n) === null ? 1 : 0
      const each = Number(process.hrtime.bigint() - start) / count
      best[index] = Math.min(best[index] as number, each)
      times[index] = Math.max(1, Math.min(2_000, Math.ceil(roundNanoseconds / each)))
    })
  }
  if (missing > 0) throw new Error('nothing was rendered')
  return best
}

const personOf = (n: number): TypicalPerson => people[n % people.length] as TypicalPerson
const tokenOf = (n: number): string => `k${n % 997}Zt7Q9xYb0c9Qe1r5`

async function rendering(): Promise<Figure[]> {
  // Reading a character makes V8 join the parts of a string. Before that, the output does not exist as a flat string.
  const flatten = ({ html, text }: { html: string; text: string }) => html.charCodeAt(9) + text.charCodeAt(9)
  const rendered = (n: number) => template.render(personOf(n), fillOf(tokenOf(n)))
  const handWritten = (n: number) => byHand(personOf(n), fillOf(tokenOf(n)))
  for (let n = 0; n < people.length; n++) {
    const { html, text } = rendered(n)
    if (html !== handWritten(n).html || text !== handWritten(n).text)
      throw new Error('the renderer and the hand-written code give different output')
  }
  const [a = 0, b = 1] = fastest(
    300,
    n => flatten(rendered(n)),
    n => flatten(handWritten(n)),
  )
  return [
    {
      what: 'HTML and text of a typical signature, against concatenation by hand',
      value: a / b,
      limit: { most: 3 },
      note: `${(a / 1000).toFixed(2)} µs against ${(b / 1000).toFixed(2)} µs`,
    },
    { what: 'characters of its HTML', value: rendered(1).html.length, limit: { most: 6_000 } },
  ]
}

async function validation(): Promise<Figure[]> {
  const json = JSON.stringify(typical)
  const [check = 0, parse = 1] = fastest(
    300,
    () => validateContent(typical, { field: 'content' }),
    () => JSON.parse(json),
  )
  return [
    {
      what: 'validation of that tree, against JSON.parse of it',
      value: check / parse,
      limit: { most: 3 },
      note: `${Math.round(1e9 / check)}/s, ${json.length} characters of JSON`,
    },
  ]
}

const blocks = (count: number): Content => ({
  type: 'stack',
  children: Array.from(
    { length: count - 1 },
    (_, n): Block => ({
      id: `t${n}`,
      type: 'text',
      tokens: [
        { id: `k${n}`, type: 'textToken', smartFieldUuid: 'first' },
        { id: `l${n}`, type: 'textToken', value: ' at work' },
      ],
    }),
  ),
})

async function growth(): Promise<Figure[]> {
  const figures: Figure[] = []
  const [few, many] = [blocks(10), blocks(500)]
  const [small, large] = [compile(few, surroundings), compile(many, surroundings)]
  const flatten = (html: string) => html.charCodeAt(9)
  const cases: [string, (n: number) => unknown, (n: number) => unknown][] = [
    ['render', n => flatten(small.render(personOf(n)).html), n => flatten(large.render(personOf(n)).html)],
    ['compile', () => compile(few, surroundings), () => compile(many, surroundings)],
    [
      'validate',
      () => validateContent(few, { field: 'content' }),
      () => validateContent(many, { field: 'content' }),
    ],
  ]
  for (const [what, callFew, callMany] of cases) {
    const [a = 1, b = 0] = fastest(200, callFew, callMany)
    figures.push({
      what: `${what}: cost per block of 500, against 10`,
      value: b / 500 / (a / 10),
      limit: { most: 1.5 },
      note: `${Math.round(b / 500)} ns against ${Math.round(a / 10)} ns`,
    })
  }
  return figures
}

export const benches: readonly Bench[] = [
  { name: 'render', run: async () => [...(await rendering()), ...(await validation()), ...(await growth())] },
]
