// All regular expressions must run in linear time: with a backtracking one, a short text can hang the process.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentSchema } from '@signoff/render'
import { check } from 'recheck'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { apiRoutes } from '#app.ts'
import { readConfig } from '#config.ts'
import { buildParts } from '#parts.ts'

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
  'server/src/kernel/http-errors.ts':
    'paths of the route table, held against an address of at most 16 KB: [^/]+ between slashes',
}

interface Node {
  readonly type?: string
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
}

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Node
  for (const inner of Object.values(value)) yield* nodesOf(inner)
}

const sources = globSync(
  [
    'render/src/**/*.{ts,js}',
    'sdk/src/*.ts',
    'outlook/{src,build}/**/*.ts',
    'server/src/**/*.{ts,js}',
    'server/bin/*.js',
  ],
  {
    cwd: root,
  },
)
  .filter(file => !file.endsWith('.test.ts'))
  .map(file => ({ file, program: parseSync(file, readFileSync(join(root, file), 'utf8')).program }))

const literals: Expression[] = sources.flatMap(({ file, program }) =>
  [...nodesOf(program)].flatMap(({ regex }) => (regex ? [{ where: file, ...regex }] : [])),
)

/** The expressions that Ajv compiles from schemas. */
function* patternsOf(schema: unknown, where: string): Generator<Expression> {
  for (const node of nodesOf(schema)) {
    const { pattern } = node as { pattern?: unknown }
    if (typeof pattern === 'string') yield { where, pattern, flags: 'u' }
  }
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

/** Whether a text that is ten times as long takes much more than ten times as long. */
function growsFaster({ pattern, flags }: Expression, { attack }: Vulnerable): boolean {
  const textOf = (count: number) =>
    attack.pumps.map(({ prefix, pump, bias }) => prefix + pump.repeat(count + bias)).join('') + attack.suffix
  const timeOf = (count: number) => milliseconds(() => new RegExp(pattern, flags).test(textOf(count)))
  const [short, long] = [timeOf(2_000), timeOf(20_000)]
  return long > 20 && long > 30 * short
}

/**
 * For the automaton with far fewer states. Long counts lose their upper end, so there are more ways to match: if this
 * is safe, the expression is. Of many plain words, as in a list of colour names, the first are kept: they repeat nothing.
 */
const simplified = (pattern: string): string =>
  pattern
    .replace(/\{(\d),\d\d+\}/g, '{$1,}')
    .replace(/(\|(\[[A-Z][a-z]\])+)+/g, words => words.split('|').slice(0, 4).join('|'))

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

  it('take linear time', { timeout: 240_000 }, async () => {
    const unique = new Map([...literals, ...fromSchemas].map(expression => [nameOf(expression), expression]))
    const slow: string[] = []
    for (const [name, expression] of unique) {
      if (name in exceptions) continue
      const problem = await problemOf(expression)
      if (problem) slow.push(`${expression.where}: ${name} ${problem}`)
    }
    expect(slow).toEqual([])
  })

  it('are literals, so this test can check them', () => {
    const files = sources.filter(({ program }) =>
      [...nodesOf(program)].some(
        ({ type, callee }) => /^(New|Call)Expression$/.test(type ?? '') && callee?.name === 'RegExp',
      ),
    )
    expect(files.map(({ file }) => file)).toEqual(Object.keys(composed))
  })

  it('have no unused exceptions', () => {
    const patterns = new Set(literals.map(nameOf))
    expect(Object.keys(exceptions).filter(name => !patterns.has(name))).toEqual([])
  })
})
