// Names of variables and beginnings of doc comments, as CONTRIBUTING.md wants them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const names = ['one', 'found', 'known', 'kept', 'shown', 'wanted', 'told']
const beginnings = ['Of', 'What', 'Whether', 'How', 'Where', 'Who', 'Which', 'When', 'That']

/** Areas that are not clean yet. A number that is no longer reached must be lowered here. */
const namesToRename: Readonly<Record<string, number>> = {
  'mcp/src': 3,
  'outlook/src': 1,
  'server/bench': 1,
  'server/generate': 3,
  'server/src/api': 5,
  'server/src/commands': 6,
  'server/src/directories': 27,
  'server/src/features/access': 31,
  'server/src/features/delivery': 2,
  'server/src/features/people': 85,
  'server/src/features/signatures': 40,
  'server/src/kernel': 18,
  'server/src/platform': 10,
  'server/src/providers': 1,
  'server/src/relay': 45,
  'server/test': 37,
  'web/src/api': 1,
  'web/src/editor': 86,
  'web/src/pages': 68,
  'web/src/records': 15,
  'web/src/state': 5,
  'web/src/ui': 3,
  'web/test': 19,
}
const commentsToRewrite: Readonly<Record<string, number>> = {
  'render/src': 2,
  'sdk/src': 2,
  'server/src': 5,
  'server/src/api': 6,
  'server/src/commands': 2,
  'server/src/dashboard': 1,
  'server/src/demo': 3,
  'server/src/directories': 16,
  'server/src/features/access': 60,
  'server/src/features/delivery': 10,
  'server/src/features/people': 81,
  'server/src/features/signatures': 35,
  'server/src/kernel': 39,
  'server/src/platform': 7,
  'server/src/providers': 4,
  'server/src/relay': 89,
  'web/src/api': 4,
  'web/src/editor': 87,
  'web/src/frame': 3,
  'web/src/pages': 59,
  'web/src/records': 17,
  'web/src/state': 8,
  'web/src/ui': 15,
}

/** `server/src/features/content`, `server/src/relay`, `web/src/editor`, `server/test` */
const areaOf = (path: string): string =>
  /^server\/src\/features\/[^/]+|^(?:server|web)\/src\/[^/]+(?=\/)|^[^/]+\/[^/]+/.exec(path)?.[0] ?? path

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

/** Areas with their findings; areas whose number is in the list of exceptions have no findings here. */
function beyond(
  exceptions: Readonly<Record<string, number>>,
  checked: typeof files,
  wrongIn: (path: string, text: string) => readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const findings: Record<string, string[]> = Object.fromEntries(
    Object.keys(exceptions).map(area => [area, []]),
  )
  for (const { path, text } of checked)
    for (const wrong of wrongIn(path, text)) {
      const area = areaOf(path)
      findings[area] ??= []
      findings[area].push(`${path}: ${wrong}`)
    }
  return Object.fromEntries(
    Object.entries(findings).filter(([area, { length }]) => length !== (exceptions[area] ?? 0)),
  )
}

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
    expect(beyond(namesToRename, files, wrongNames)).toEqual({})
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
    const sources = files.filter(({ path }) => /^(server|web|render|sdk)\/src\//.test(path))
    expect(sources.length).toBeGreaterThan(1_000)
    expect(beyond(commentsToRewrite, sources, wrongComments)).toEqual({})
  })
})
