// No regular expression of ours takes more than linear time: one that backtracks lets a short text hang the process.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** Expressions that may take longer, each with the reason why they cannot be made to. */
const exceptions: Readonly<Record<string, string>> = {}

/** Made from texts of ours, not from literals; each with the reason why it is harmless. */
const composed: Readonly<Record<string, string>> = {
  'server/src/kernel/http.ts':
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

const sources = globSync(['render/src/**/*.{ts,js}', 'server/src/**/*.{ts,js}', 'server/bin/*.js'], {
  cwd: root,
})
  .filter(file => !file.endsWith('.test.ts'))
  .map(file => ({ file, program: parseSync(file, readFileSync(join(root, file), 'utf8')).program }))

const literals: Expression[] = sources.flatMap(({ file, program }) =>
  [...nodesOf(program)].flatMap(({ regex }) => (regex ? [{ where: file, ...regex }] : [])),
)

/** Those that Ajv makes of schemas. */
function* patternsOf(schema: unknown, where: string): Generator<Expression> {
  for (const node of nodesOf(schema)) {
    const { pattern } = node as { pattern?: unknown }
    if (typeof pattern === 'string') yield { where, pattern, flags: 'u' }
  }
}
const fromSchemas = apiRoutes(buildParts(readConfig({}))).flatMap(({ method, path, body, query }) => [
  ...patternsOf(body?.schema, `${method} ${path}`),
  ...patternsOf(query, `${method} ${path}`),
])

const nameOf = ({ pattern, flags }: Expression): string => `/${pattern}/${flags}`

describe('regular expressions', () => {
  it('are seen at all', () => {
    expect(literals.length).toBeGreaterThan(100)
    expect(fromSchemas.length).toBeGreaterThan(5)
  })

  it('take linear time', { timeout: 240_000 }, async () => {
    const unique = new Map([...literals, ...fromSchemas].map(one => [nameOf(one), one]))
    const slow: string[] = []
    for (const [name, { where, pattern, flags }] of unique) {
      if (name in exceptions) continue
      const found = await check(pattern, flags, { timeout: 30_000 })
      if (found.status === 'vulnerable')
        slow.push(`${where}: ${name} ${found.complexity.summary}, for example ${found.attack.pattern}`)
      else if (found.status !== 'safe') slow.push(`${where}: ${name} ${found.status}`)
    }
    expect(slow).toEqual([])
  })

  it('are literals, so that they can be checked', () => {
    const made = sources.filter(({ program }) =>
      [...nodesOf(program)].some(
        ({ type, callee }) => /^(New|Call)Expression$/.test(type ?? '') && callee?.name === 'RegExp',
      ),
    )
    expect(made.map(({ file }) => file)).toEqual(Object.keys(composed))
  })

  it('need all the exceptions that they have', () => {
    const known = new Set(literals.map(nameOf))
    expect(Object.keys(exceptions).filter(name => !known.has(name))).toEqual([])
  })
})
