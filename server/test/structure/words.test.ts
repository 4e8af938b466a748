// Names of variables and beginnings of doc comments, as CONTRIBUTING.md wants them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const names = ['one', 'found', 'known', 'kept', 'shown', 'wanted', 'told']
const beginnings = ['Of', 'What', 'Whether', 'How', 'Where', 'Who', 'Which', 'When', 'That']

const files = globSync('{render,sdk,mcp,web,outlook,server}/**/*.{ts,tsx}', {
  cwd: root,
  // The SDK's types carry the descriptions of schemas.
  exclude: path => /(^|\/)(node_modules|generated)$/.test(path),
}).map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))

interface SyntaxNode {
  readonly type: string
  readonly [property: string]: unknown
}

const isNode = (value: unknown): value is SyntaxNode => typeof value === 'object' && value !== null

/** Names that a pattern binds: `{ a, b: [c = 1], ...d }` binds a, c and d. */
function boundNames(pattern: unknown): readonly string[] {
  if (!isNode(pattern)) return []
  switch (pattern.type) {
    case 'Identifier':
      return [String(pattern.name)]
    case 'ObjectPattern':
      return (pattern.properties as readonly SyntaxNode[]).flatMap(({ type, argument, value }) =>
        boundNames(type === 'RestElement' ? argument : value),
      )
    case 'ArrayPattern':
      return (pattern.elements as readonly unknown[]).flatMap(boundNames)
    case 'AssignmentPattern':
      return boundNames(pattern.left)
    case 'RestElement':
      return boundNames(pattern.argument)
    case 'TSParameterProperty':
      return boundNames(pattern.parameter)
    default:
      return []
  }
}

/** Names of all variables and parameters below a node. */
function declaredNames(node: unknown, declared: string[] = []): string[] {
  if (Array.isArray(node)) for (const child of node) declaredNames(child, declared)
  else if (isNode(node)) {
    if (node.type === 'VariableDeclarator') declared.push(...boundNames(node.id))
    if (node.type === 'CatchClause') declared.push(...boundNames(node.param))
    if (Array.isArray(node.params)) declared.push(...node.params.flatMap(boundNames))
    for (const child of Object.values(node)) if (isNode(child)) declaredNames(child, declared)
  }
  return declared
}

const comment = /^\s*(\/\/|\/?\*).*$/gm
/** Matches every declaration, and little else: parsing takes the time of this test. */
const maybeDeclared = new RegExp(
  `(?<![\\w'"-])(?<!(?<!\\.\\.)\\.)(${names.join('|')})\\??\\s*([=:,)}\\]]|of\\b|in\\b)`,
)

function wrongNames(path: string, text: string): readonly string[] {
  if (!maybeDeclared.test(text.replace(comment, ''))) return []
  const { body } = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' })
  return declaredNames(body).filter(name => names.includes(name))
}

const wrongBeginning = new RegExp(`/\\*\\*\\s+(?:\\* )?((?:${beginnings.join('|')})\\b[^\\n]*)`, 'g')
const wrongComments = (_path: string, text: string): readonly string[] =>
  [...text.matchAll(wrongBeginning)].map(([, beginning = '']) => beginning)

const findings = (
  checked: typeof files,
  wrongIn: (path: string, text: string) => readonly string[],
): readonly string[] =>
  checked.flatMap(({ path, text }) => wrongIn(path, text).map(wrong => `${path}: ${wrong}`))

describe('a variable', () => {
  it.each([
    ['const { a: [found = 1], ...kept } = b', ['found', 'kept']],
    ['class A { constructor(readonly known: B) {} }', ['known']],
    ['try { a() } catch ({ told }) {}', ['told']],
    ['type A = (one: string) => void', ['one']],
    ['const { a, ...kept } = b', ['kept']],
    ['const a = { one: 1, found: b.shown }', []],
  ])('is seen in %s', (text, expected) => {
    expect(wrongNames('a.ts', text)).toEqual(expected)
  })

  it(`is a noun, not ${names.join(', ')}`, () => {
    expect(files.length).toBeGreaterThan(1_000)
    expect(findings(files, wrongNames)).toEqual([])
  })
})

describe('a doc comment', () => {
  it('is seen on one line and on several', () => {
    expect(wrongComments('', '/** Of a row. */\n/**\n * What it is. */\n/** Officers. */')).toEqual([
      'Of a row. */',
      'What it is. */',
    ])
  })

  it(`begins with a noun or a verb, not with ${beginnings.join(', ')}`, () => {
    const sources = files.filter(({ path }) => /^(server|web|render|sdk|mcp|outlook)\/src\//.test(path))
    expect(sources.length).toBeGreaterThan(1_000)
    expect(findings(sources, wrongComments)).toEqual([])
  })
})
