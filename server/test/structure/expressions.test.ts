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
  ['render/src/**/*.{ts,js}', 'sdk/src/*.ts', 'server/src/**/*.{ts,js}', 'server/bin/*.js'],
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

describe('regular expressions', () => {
  it('are found by this test', () => {
    expect(literals.length).toBeGreaterThan(100)
    expect(fromSchemas.length).toBeGreaterThan(5)
  })

  it('take linear time', { timeout: 240_000 }, async () => {
    const unique = new Map([...literals, ...fromSchemas].map(expression => [nameOf(expression), expression]))
    const slow: string[] = []
    for (const [name, { where, pattern, flags }] of unique) {
      if (name in exceptions) continue
      const result = await check(pattern, flags, { timeout: 30_000 })
      if (result.status === 'vulnerable')
        slow.push(`${where}: ${name} ${result.complexity.summary}, for example ${result.attack.pattern}`)
      else if (result.status !== 'safe') slow.push(`${where}: ${name} ${result.status}`)
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
