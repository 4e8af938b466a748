// All regular expressions must run in linear time: with a backtracking one, a short text can hang the process.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentSchema } from '@signoff/render'
import { check } from 'recheck'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { readConfig } from '#config.ts'
import { buildParts } from '#parts.ts'
import { apiRoutes } from '#routes.ts'

// The checker runs for seconds: optimizing its program would take more CPU time than it saves.
process.env.JDK_JAVA_OPTIONS ??= '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'

const root = join(import.meta.dirname, '../../..')

interface Expression {
  readonly where: string
  readonly pattern: string
  readonly flags: string
}

/** Expressions that are allowed to be slower, each with the reason why no input can exploit it. */
const exceptions: Readonly<Record<string, string>> = {}

/** Files that build expressions from strings instead of literals, each with the reason why this is harmless. */
const composed: Readonly<Record<string, string>> = {
  'server/src/relay/message/quotes/labels.ts': 'words of a list as alternatives, without any repetition',
  'server/src/kernel/http/http-errors.ts':
    'paths of the route table, held against an address of at most 16 KB: [^/]+ between slashes',
}

interface Node {
  readonly type?: string
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
}

/** Calls a function with every object within a value. */
function visitObjects(value: unknown, visit: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Node)
  for (const inner of Object.values(value)) visitObjects(inner, visit)
}

const literals: Expression[] = []
const composing = new Set<string>()

const sources = globSync(
  [
    'render/src/**/*.{ts,js}',
    'sdk/src/*.ts',
    'mcp/src/**/*.ts',
    'outlook/{src,build}/**/*.ts',
    'server/src/**/*.{ts,js}',
    'server/bin/*.js',
  ],
  { cwd: root },
)
for (const file of sources.filter(file => !file.endsWith('.test.ts')))
  visitObjects(
    parseSync(file, readFileSync(join(root, file), 'utf8')).program,
    ({ type = '', regex, callee }) => {
      if (regex) literals.push({ where: file, ...regex })
      if (/^(New|Call)Expression$/.test(type) && callee?.name === 'RegExp') composing.add(file)
    },
  )

/** The expressions that Ajv compiles from schemas. */
function patternsOf(schema: unknown, where: string): Expression[] {
  const expressions: Expression[] = []
  visitObjects(schema, node => {
    const { pattern } = node as { pattern?: unknown }
    if (typeof pattern === 'string') expressions.push({ where, pattern, flags: 'u' })
  })
  return expressions
}
const fromSchemas = [
  ...apiRoutes(buildParts(readConfig({}))).flatMap(({ method, path, body, query }) => [
    ...patternsOf(body?.schema, `${method} ${path}`),
    ...patternsOf(query, `${method} ${path}`),
  ]),
  // Not compiled by the service, but by integrators.
  ...patternsOf(contentSchema, 'the content schema'),
]

const nameOf = ({ pattern, flags }: Expression): string => `/${pattern}/${flags}`

type Vulnerable = Extract<Awaited<ReturnType<typeof check>>, { readonly status: 'vulnerable' }>

const milliseconds = (work: () => unknown): number => {
  const began = performance.now()
  work()
  return performance.now() - began
}

/** True if a text that is ten times as long takes much more than ten times as long. */
function growsFaster({ pattern, flags }: Expression, { attack }: Vulnerable): boolean {
  const textOf = (count: number) =>
    attack.pumps.map(({ prefix, pump, bias }) => prefix + pump.repeat(count + bias)).join('') + attack.suffix
  const timeOf = (count: number) => milliseconds(() => new RegExp(pattern, flags).test(textOf(count)))
  const [short, long] = [timeOf(2_000), timeOf(20_000)]
  return long > 20 && long > 30 * short
}

/**
 * For the automaton with far fewer states. Counts lose their upper end, so there are more ways to match: if this is
 * safe, the expression is. Of many plain words, as in a list of colour names, the first are kept: they repeat nothing.
 */
const simplified = (pattern: string): string =>
  pattern
    .replace(/\{(\d),\d+\}/g, '{$1,}')
    .replace(/(\|(\[[A-Z][a-z]\])+)+/g, words => words.split('|').slice(0, 4).join('|'))

/** Every escape and every class becomes one letter, so that the rest is the structure of the expression. */
const structureOf = (pattern: string): string =>
  pattern.replace(/\\(?:[pPu]\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|.)/g, 'c').replace(/\[[^\]]*\]/g, 'c')

/**
 * True if an expression needs no proof by the automaton, which takes 0.1 s of CPU time for a simple one. There are few
 * ways to match from one position, and either no repetition without an upper end, or a single one, of one character, in
 * an expression that begins at the start of the text only.
 */
function isPlainlyLinear({ pattern, flags }: Pick<Expression, 'pattern' | 'flags'>): boolean {
  if (/\\[1-9k]/.test(pattern)) return false
  const structure = structureOf(pattern)
  // The alternatives of one group are added, those of several groups multiplied.
  let ways = structure.split(/[()]/).reduce((product, part) => product * part.split('|').length, 1)
  let endless = 0
  for (const [, before, sign, from, to] of structure.matchAll(/([^(])(\?|\*|\+|\{(\d+)(?:,(\d*))?\})/g)) {
    if (sign === '?') ways *= 2
    else if (before === ')') return false
    else if (sign === '*' || sign === '+' || to === '') endless++
    else if (Number(to ?? from) > 1_000) return false
    else ways *= Number(to ?? from) - Number(from) + 1
  }
  if (ways > 1_000 || endless > 1) return false
  return (
    endless === 0 || (structure.startsWith('^') && !flags.includes('m') && !/\||\(\?<?[=!]/.test(structure))
  )
}

/**
 * The automaton decides exactly, but knows no look-around. Fuzzing knows all, and guesses: what it claims is tried with
 * the expression itself.
 */
async function problemOf(expression: Expression): Promise<string | null> {
  const { pattern, flags } = expression
  const simple = simplified(pattern)
  const first = await check(simple, flags, { timeout: 30_000, checker: 'automaton' })
  if (first.status === 'safe') return null
  const exact =
    simple === pattern ? first : await check(pattern, flags, { timeout: 30_000, checker: 'automaton' })
  if (exact.status === 'safe') return null
  const result =
    exact.status === 'vulnerable'
      ? exact
      : // Five rounds find what is slow. The usual thirty take half a minute for one expression.
        await check(pattern, flags, { timeout: 30_000, checker: 'fuzz', maxIteration: 5 })
  if (result.status === 'safe') return null
  if (result.status !== 'vulnerable') return result.status
  if (result !== exact && !growsFaster(expression, result)) return null
  return `${result.complexity.summary}, for example ${result.attack.pattern}`
}

describe('regular expressions', () => {
  it('are found by this test', () => {
    expect(literals.length).toBeGreaterThan(100)
    expect(fromSchemas.length).toBeGreaterThan(5)
  })

  it.each([
    ['^\\d{1,5}-[a-z]+$', '', true],
    ['a{2,9}(?:b|c)?', 'g', true],
    ['a+$', '', false], // from every position to the end
    ['^a+$', 'm', false],
    ['^a+a+$', '', false],
    ['^(?:a|aa)+$', '', false],
    ['^(?:a{1,9}){9}$', '', false],
    ['^a|b+$', '', false],
    ['^a{0,50}a{0,50}$', '', false],
    ['a{2000}b', '', false],
    ['(a|b|c)'.repeat(7), '', false],
    ['^(?!b+)a', '', false],
    ['(a)\\1', '', false],
  ])('can be seen to be linear or not: %s with the flags %j', (pattern, flags, isLinear) => {
    expect(isPlainlyLinear({ pattern, flags })).toBe(isLinear)
  })

  it('take linear time', { timeout: 240_000 }, async () => {
    const unique = new Map([...literals, ...fromSchemas].map(expression => [nameOf(expression), expression]))
    const slow: string[] = []
    for (const [name, expression] of unique) {
      if (name in exceptions || isPlainlyLinear(expression)) continue
      const problem = await problemOf(expression)
      if (problem) slow.push(`${expression.where}: ${name} ${problem}`)
    }
    expect(slow).toEqual([])
  })

  it('are literals, so this test can check them', () => {
    expect([...composing].sort()).toEqual(Object.keys(composed).sort())
  })

  it('have no unused exceptions', () => {
    const patterns = new Set(literals.map(nameOf))
    expect(Object.keys(exceptions).filter(name => !patterns.has(name))).toEqual([])
  })
})
