// Compares documents and generated files with the code they describe.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { toolDefinitions } from '@signoff/mcp'
import { enums, validateContent } from '@signoff/render'
import { describe, expect, it } from 'vitest'
import { openApiText } from '#commands/installation/routes.ts'
import { readConfig, settings } from '#config.ts'
import { grants, scopes } from '#kernel/api/scopes.ts'
import { catalogue, detailCodes } from '#kernel/base/errors.ts'
import { buildParts } from '#parts.ts'
import { apiRoutes } from '#routes.ts'
import { sdkSources } from '../../../sdk/generate/source.ts'

const root = join(import.meta.dirname, '../../..')
const readText = (file: string) => readFileSync(join(root, file), 'utf8')
const rows = (file: string) =>
  [...readText(file).matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(([, name = '', rest = '']) => ({
    name,
    rest,
  }))

const codeFile = String.raw`[\w./-]+\.(?:ts|js)`
const quotedNames = String.raw`(?<names>\`#?[\w.]+\`(?:(?:,|,? and|,? or)\s+\`#?[\w.]+\`)*)`
/** Forms in which a document writes a name beside its file. */
const pairForms = [
  `${quotedNames}\\s+(?:\\(|in\\s|of\\s)\`(?<file>${codeFile})\``,
  `\`(?<file>${codeFile})\`(?:\\s+\\(|:\\s+)${quotedNames}`,
  `(?<![\`\\w./-])(?<file>${codeFile})\\s+\\((?<names>#?\\w+(?:,\\s+#?\\w+)*)\\)`, // without backticks
  `(?<![\`\\w./-])(?<file>${codeFile}),\\s+(?<names>#?\\w+):`, // in a diagram
].map(form => new RegExp(form, 'g'))

/** A declaration, a method, or a string such as the name of a job. A name that the code only calls or imports does not count. */
const declares = (code: string, name: string): boolean =>
  code.includes(`'${name}'`) ||
  new RegExp(
    `\\b(?:function\\*?|const|class|interface|type)\\s+${name}\\b|^\\s+(?:async\\s+)?${name}\\(`,
    'm',
  ).test(code)

/** The names in a text that no file of the given name declares. */
const undeclaredNames = (text: string, files: readonly string[]): string[] =>
  pairForms
    .flatMap(form => [...text.matchAll(form)])
    .flatMap(({ groups: { names = '', file = '' } = {} }) =>
      [...names.matchAll(/#?[\w.]+/g)]
        .map(([name]) => name)
        .filter(name => !/^(?:and|or)$|\.(?:ts|js|md|sql)$/.test(name))
        .filter(name => !files.some(path => path.endsWith(`/${file}`) && declares(readText(path), name)))
        .map(name => `${name} (${file})`),
    )

describe('documents', () => {
  const developers = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...globSync('docs/internals/*.md', { cwd: root })]
  const users = [
    'README.md',
    'CHANGELOG.md',
    'sdk/README.md',
    'docs/README.md',
    ...globSync('docs/{use,connect,operate,build}/**/*.md', { cwd: root }),
  ]
  const files = globSync('**/*.{ts,js,md,sql,css}', {
    cwd: root,
    exclude: path => path.includes('node_modules'),
  }).map(path => `/${path}`)

  it('name only files that exist', () => {
    // CONTRIBUTING.md shows how to add a feature by an example that does not exist.
    const examples = new Set(['labels.test.ts'])
    const missing = developers.flatMap(document =>
      [...readText(document).matchAll(/`([\w./-]+\.(?:ts|js|md|sql|css))`/g)]
        .map(([, name = '']) => name)
        .filter(name => !examples.has(name) && !files.some(path => path.endsWith(`/${name}`)))
        .filter(name => !/^\w+\.js$/.test(name)) // a package
        .map(name => `${document}: ${name}`),
    )
    expect(missing).toEqual([])
  })

  it.each([
    ['`missing` (`mailboxes/states.ts`)'],
    ['`isSettled` and\n`missing` (`mailboxes/states.ts`, `rows.ts`)'],
    ['`missing` in `mailboxes/states.ts`'],
    ['`mailboxes/states.ts` (`isSettled`, `missing`)'],
    ['`mailboxes/states.ts`: `missing`'],
    ['mailboxes/states.ts (isSettled, missing)'],
    ['{"mailboxes/states.ts, missing: is it there?"}'],
  ])('are compared with the code where they say: %s', text => {
    expect(undeclaredNames(text, files)).toEqual(['missing (mailboxes/states.ts)'])
    expect(undeclaredNames(text.replace('missing', 'resultOf'), files)).toEqual([])
  })

  it('name functions beside the file that declares them', () => {
    const wrong = ['ARCHITECTURE.md', ...globSync('docs/internals/*.md', { cwd: root })].flatMap(document =>
      undeclaredNames(readText(document), files).map(name => `${document}: ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('list the files of the deep half of the tests', () => {
    const deep = globSync('{render,web,outlook,sdk,server}/{src,test}/**/*.test.ts', { cwd: root })
      .filter(
        file => !file.includes('/structure/') && /@module-tag deep|tags: \['deep'\]/.test(readText(file)),
      )
      .map(file => basename(file, '.test.ts'))
    const listed = /some of them in part:\n\n([\s\S]*?)\n\n/.exec(readText('CONTRIBUTING.md'))?.[1] ?? ''
    expect(deep.length).toBeGreaterThan(20)
    expect([...listed.matchAll(/`([\w-]+)`/g)].map(([, name]) => name)).toEqual([...new Set(deep)].sort())
  })

  it('wrap at 100 columns, tables, links and code apart', () => {
    const long = [...developers, ...users].flatMap(document =>
      readText(document)
        .replace(/```[\s\S]*?```/g, '')
        .split('\n')
        .filter(line => [...line].length > 100 && !/^\s*\||https?:/.test(line))
        .map(line => `${document}: ${line}`),
    )
    expect(long).toEqual([])
  })

  it('explain the architecture in 150 lines and 30 terms', () => {
    const architecture = readText('ARCHITECTURE.md')
    expect(architecture.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
    expect(architecture.match(/^```mermaid$/gm)).toHaveLength(3)
    const glossary = architecture.split('## Glossary')[1]?.split('## ')[0] ?? ''
    expect((glossary.match(/^\| /gm)?.length ?? 0) - 1).toBeLessThanOrEqual(30)
  })
})

/** The JSON object that begins at `start`, with something in the place of what the text leaves out. */
function objectAt(text: string, start: number): unknown {
  let depth = 0
  for (const { 0: part, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    depth += part === '{' ? 1 : part === '}' ? -1 : 0
    if (depth > 0) continue
    const json = text.slice(start, start + index + 1)
    const filled = json
      .replaceAll('[…]', '[]')
      .replaceAll('{…}', '{"text": "https://example.com"}')
      .replaceAll(/("assetUuid": )"[^"]*"|"…"/g, '$1"01a1e0a4-15b9-71f7-98af-f25f4b8294b4"')
    return JSON.parse(filled)
  }
  throw new Error(`an example does not end: ${text.slice(start, start + 200)}`)
}

/** The problems of every example of content in a text: blocks, wherever they stand. */
function contentProblems(text: string): string[] {
  const problems: string[] = []
  const blocks = new RegExp(`\\{\\s*"type":\\s*"(?:${enums.stackChild.join('|')})"`, 'g')
  for (const { index } of text.matchAll(blocks)) {
    const block = objectAt(text, index) as { type: string }
    const content = block.type === 'stack' ? block : { type: 'stack', children: [block] }
    const result = validateContent(content, { field: 'content' })
    for (const { message } of result.problems) problems.push(`${JSON.stringify(block)}: ${message}`)
  }
  return problems
}

describe('content in documents', () => {
  it('is found in code blocks, commands and tables, with its problems', () => {
    const wrong = '{"type": "text", "tokens": [{"value": "} x"}], "href": {"vcard": true}}'
    const right = '{"type": "image", "smartFieldUuid": "…", "href": {…}, "alt": ""}'
    for (const text of [wrong, `-d '{"a": ${wrong}}'`, `| \`${wrong}\` | \`${right}\` |`])
      expect(contentProblems(text)).toEqual([expect.stringContaining('href')])
  })

  it('is accepted', () => {
    const files = [...globSync(['docs/**/*.md', '*.md', 'sdk/README.md'], { cwd: root })]
    const wrong = files.flatMap(file => contentProblems(readText(file)).map(problem => `${file}: ${problem}`))
    expect(wrong).toEqual([])
  })
})

describe('docs/build/errors.md', () => {
  it('lists every code with its status and type, and no other', () => {
    const listed = rows('docs/build/errors.md').filter(({ rest }) => /^ \d{3} /.test(rest))
    const documented = listed.map(
      ({ name, rest }) =>
        `${name} ${rest
          .split('|')
          .slice(0, 2)
          .map(cell => cell.trim().replaceAll('`', ''))
          .join(' ')}`,
    )
    const expected = Object.entries(catalogue)
      .filter(([code]) => code !== 'validation')
      .map(([code, { status, type }]) => `${code} ${status} ${type}`)
    expect(documented.sort()).toEqual(expected.sort())
  })

  it('lists every code of a detail', () => {
    const listed = rows('docs/build/errors.md')
      .filter(({ rest }) => !/^ \d{3} /.test(rest))
      .map(({ name }) => name)
    expect(listed.sort()).toEqual(Object.keys(detailCodes).sort())
  })
})

describe('docs/build/api.md', () => {
  it('names every list that can be sorted, and no other', () => {
    const [, names = ''] =
      /ordered by another property with `sort`: ([^.]*)\./.exec(readText('docs/build/api.md')) ?? []
    const sorted = apiRoutes(buildParts(readConfig({})))
      .filter(({ path, query }) => path.startsWith('/v1/') && query?.properties.sort)
      .map(({ path }) => path.slice('/v1/'.length))
    expect(names.split(/,\s+|\s+and\s+/).toSorted()).toEqual(sorted.toSorted())
  })
})

describe('docs/build/mcp.md', () => {
  it('lists every tool with its title, and no other', () => {
    const listed = rows('docs/build/mcp.md').map(({ name, rest }) => [name, rest.split('|')[0]?.trim()])
    expect(listed.filter(([name]) => /^[a-z_]+$/.test(name ?? ''))).toEqual(
      toolDefinitions.map(({ name, title }) => [name, title]),
    )
  })
})

describe('docs/operate/operating.md', () => {
  it('lists every setting with its default and meaning', () => {
    const listed = rows('docs/operate/operating.md').filter(({ name }) => /^[A-Z\d_]+$/.test(name))
    const documented = listed.map(({ name, rest }) => [name, ...rest.split('|').map(cell => cell.trim())])
    const expected = Object.values(settings).map(({ name, fallback, help }) => [
      name,
      fallback === null ? '–' : `\`${fallback}\``,
      help,
    ])
    expect(documented).toEqual(expected)
  })
})

describe('openapi.json', async () => {
  const document = JSON.parse(await openApiText())

  it('matches the route table (if not: npm run generate)', async () => {
    expect(readText('openapi.json') === (await openApiText())).toBe(true)
  })

  it('is valid for an independent validator', async () => {
    const result = await new Validator().validate(structuredClone(document))
    expect(result).toMatchObject({ valid: true })
  })

  it('has every route, with a unique operation id', () => {
    const operations = Object.values(document.paths).flatMap(path =>
      Object.values(path as Record<string, { operationId: string }>),
    )
    expect(operations).toHaveLength(apiRoutes(buildParts(readConfig({}))).length)
    expect(new Set(operations.map(operation => operation.operationId)).size).toBe(operations.length)
  })
})

describe('sdk/src/generated', () => {
  it('matches the route table (if not: npm run generate)', async () => {
    const sources = await sdkSources(apiRoutes(buildParts(readConfig({}))))
    for (const [file, text] of Object.entries(sources))
      expect(readText(`sdk/src/generated/${file}`) === text, file).toBe(true)
    expect(globSync('*', { cwd: join(root, 'sdk/src/generated') }).toSorted()).toEqual(
      Object.keys(sources).toSorted(),
    )
  })
})

describe('documents', () => {
  it('link only to existing files', () => {
    const files = [...globSync(['*.md', 'docs/**/*.md'], { cwd: root }).sort(), 'sdk/README.md']
    const broken = files.flatMap(file =>
      [...readText(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)]
        .map(([, target = '']) => join(file, '..', target))
        .filter(target => globSync(target, { cwd: root }).length === 0)
        .map(target => `${file} → ${target}`),
    )
    expect(broken).toEqual([])
  })

  it('link only to headings that exist', () => {
    /** As GitHub and the pages of the service name them. */
    const anchorsOf = (file: string) =>
      [...readText(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(' ', '-'),
      )
    const files = [...globSync(['*.md', 'docs/**/*.md'], { cwd: root }), 'sdk/README.md']
    const links = files.flatMap(file =>
      [...readText(file).matchAll(/\]\((?!https?:|mailto:)([^)#]*)#([^)]+)\)/g)].map(
        ([, path = '', anchor = '']) => ({ file, target: path ? join(file, '..', path) : file, anchor }),
      ),
    )
    expect(links.length).toBeGreaterThan(30)
    const broken = links.filter(
      ({ target, anchor }) => target.endsWith('.md') && !anchorsOf(target).includes(anchor),
    )
    expect(broken).toEqual([])
  })
})

describe('docs/internals/choices.md', () => {
  it('says for every subsystem over 500 lines what a user loses without it', () => {
    const rooms = [
      'server/{generate,src/{api,commands,dashboard,demo,pages}}/',
      'server/src/{features/*,connectors,kernel,platform,relay}/*/',
      '{render,mcp,outlook,sdk}/src/',
      'web/src/{frame,records,state,ui,api,pages/*,editor/*}/',
    ]
    const linesOf = (folder: string) =>
      globSync(`${folder}/**/*.{ts,tsx,js}`, { cwd: root })
        .filter(file => !file.endsWith('.test.ts'))
        .reduce((sum, file) => sum + readText(file).split('\n').length - 1, 0)
    const folders = globSync(rooms, { cwd: root }).map(path => path.replace(/\/$/, ''))
    expect(folders.length).toBeGreaterThan(80)
    const large = folders.filter(folder => linesOf(folder) > 500)
    const listed = rows('docs/internals/choices.md').map(({ name }) => name)
    expect(large.filter(folder => !listed.includes(folder)).toSorted()).toEqual([])
    // A subsystem that goes takes its row along.
    const paths = listed.filter(name => name.includes('/') && !name.startsWith('@'))
    expect(paths.filter(name => !folders.includes(name))).toEqual([])
  })
})

describe('docs/README.md', () => {
  it('lists every guide once, in 40 lines', () => {
    const index = readText('docs/README.md')
    expect(index.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
    const listed = [...index.matchAll(/\]\((\w+\/[\w/-]+\.md)\)/g)].map(([, path = '']) => path)
    const guides = globSync('{use,connect,operate,build}/**/*.md', { cwd: join(root, 'docs') })
    expect(listed.toSorted()).toEqual(guides.toSorted())
  })
})

describe('scopes', () => {
  it('equal those of the contract', () => {
    const nouns =
      'signatures teammates emails smart_fields folders assets marketing_campaigns webhooks api_keys members'.split(
        ' ',
      )
    const others =
      'integrations:read integrations:write integrations:delete installations:read analytics:read analytics:write financial_documents:read workspace:read workspace:write audit_log:read scim:write'
    const full = nouns.flatMap(noun => [`${noun}:read`, `${noun}:write`, `${noun}:delete`])
    expect([...scopes].sort()).toEqual([...full, ...others.split(' ')].sort())
    expect(grants).toEqual(expect.arrayContaining(['*', '*:read', 'folders:*', 'analytics:*']))
  })
})
