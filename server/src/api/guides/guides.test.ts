import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateContent } from '@signoff/render'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { docsFolder, readGuide } from '#test/support/files/guide.ts'
import { solidPicture, upload } from '#test/support/pictures.ts'
import { renderGuide } from './markdown.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

const textOf = (html: string): string => html.replace(/<[^>]*>/g, '')

describe('docs/use/content.md', () => {
  const examples = readGuide()
  const names = examples.flatMap(({ pictures }) => pictures)

  it('has an example of every block', () => {
    const json = JSON.stringify(examples)
    const types =
      'stack text image icon button list listItem listItemLabel socialList socialListItem divider marketing qrCode'
    for (const type of types.split(' ')) expect(json, type).toContain(`"type":"${type}"`)
  })

  it('has a picture for every example, and no other pictures', () => {
    const blocks = readFileSync(join(docsFolder, 'use/content.md'), 'utf8').match(/^```json$/gm)
    expect(examples).toHaveLength(blocks?.length ?? 0)
    const files = readdirSync(join(docsFolder, 'pictures/content'))
    expect(files.sort()).toEqual(names.map(name => `${name}.png`).sort())
  })

  it.each(examples.map(({ pictures, content }) => [pictures[0], content] as const))(
    '%s is valid',
    (_name, content) => {
      expect(validateContent(content, { field: 'content' }).problems).toEqual([])
    },
  )

  it('can be sent as it is, with ids in the place of names', async () => {
    const fields = (await app.get('/v1/smart_fields?limit=100')).body.data as { id: string; key: string }[]
    const ids = new Map(fields.map(({ id, key }) => [key, id]))
    for (const name of ['logo', 'dark_logo', 'office'])
      ids.set(name, (await upload(app, await solidPicture(320, 200).png().toBuffer(), { name })).body.data.id)
    for (const { pictures, content } of examples) {
      const json = JSON.stringify(content).replace(
        /"(smartFieldUuid|assetUuid)":"(\w+)"/g,
        (_, property, name) => `"${property}":"${ids.get(name)}"`,
      )
      const answer = await app.post('/v1/content/preview', { content: JSON.parse(json) })
      expect(answer.status, pictures[0]).toBe(200)
    }
  })
})

describe('the guides as pages', () => {
  const guides = globSync(['{use,connect,operate,build}/**/*.md'], { cwd: docsFolder }).map(file =>
    file.replace(/^\w+\//, '').replace('.md', ''),
  )

  it('list every guide by its title', async () => {
    const { status, text, headers } = await app.get('/docs/guides', { key: null })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    for (const name of guides) expect(text).toContain(`href="/docs/guides/${name}"`)
    expect(textOf(text)).toContain('Your first signature in five minutes')
    expect(text, 'a guide without a summary').not.toContain('<h2>More</h2>')
  })

  it('link only to pages, places, pictures and examples that exist', async () => {
    const pages = new Map<string, string>()
    for (const name of ['', ...guides.map(name => `/${name}`)])
      pages.set(`/docs/guides${name}`, (await app.get(`/docs/guides${name}`, { key: null })).text)
    const links = [...pages].flatMap(([page, html]) =>
      [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(
        ([, target = '']) => new URL(target, `http://own${page}`),
      ),
    )
    const own = links.filter(({ host }) => host === 'own')
    expect(own.length).toBeGreaterThan(100)
    for (const { pathname, hash } of own) {
      const page = pages.get(pathname)
      if (page && hash) expect(page, `${pathname}${hash}`).toContain(`id="${hash.slice(1)}"`)
      if (!page && pathname !== '/docs')
        expect((await app.get(pathname, { key: null })).status, pathname).toBe(200)
    }
  })

  it('forbid inline scripts and other sites to the browser', async () => {
    const { text, headers } = await app.get('/docs/guides/content', { key: null })
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; font-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'/,
    )
    expect(text).not.toMatch(/<script>|\son\w+=|\sstyle=/)
    const [, script = ''] = /<script src="([^"]*)" defer>/.exec(text) ?? []
    const answer = await app.get(script, { key: null })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(answer.headers['cache-control']).toContain('immutable')
  })

  it('answer 304 to a browser that has the page, and 404 outside the guides', async () => {
    const { headers } = await app.get('/docs/guides/content', { key: null })
    const again = await app.get('/docs/guides/content', {
      key: null,
      headers: { 'if-none-match': String(headers.etag) },
    })
    expect(again.status).toBe(304)
    expect(existsSync(join(docsFolder, 'internals/data.md'))).toBe(true)
    for (const path of [
      'nothing',
      'internals/data.md',
      'internals%2Fdata.md',
      '..%2FREADME',
      'README',
      'use/content',
      'pictures/..%2Fuse/content.md',
      'pictures/content/..%2f..%2fbuild/api.md',
      'examples/nothing.mjs',
    ])
      expect((await app.get(`/docs/guides/${path}`, { key: null })).status, path).toBe(404)
  })

  it.each([
    ['import', 'import-signature'],
    ['pictures', 'profile-pictures'],
    ['webhook', 'custom-channel'],
    ['webhooks', 'event-webhooks'],
  ])('are still there under a former name: %s', async (former, name) => {
    const [old, current] = await Promise.all(
      [former, name].map(path => app.get(`/docs/guides/${path}`, { key: null })),
    )
    expect([old?.status, old?.text]).toEqual([200, current?.text])
  })

  it('lead on to the list from a wrong address', async () => {
    const { status, text, headers } = await app.get('/docs/guides/nope', { key: null })
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(text).toContain('<a href="/docs/guides">list of guides</a>')
  })

  it('are linked from the first page and from the reference', async () => {
    expect((await app.get('/', { key: null })).text).toContain('href="/docs/guides"')
    expect((await app.get('/v1/openapi.json', { key: null })).body).toMatchObject({
      info: { description: expect.stringContaining('](/docs/guides)') },
    })
  })
})

describe('a document', () => {
  const options = {
    publicUrl: 'https://sign.example',
    sizeOf: () => undefined,
    titleOf: (path: string) => (path === 'a.md' ? 'Apples & co' : undefined),
    has: (path: string) => path === 'a.md',
  }
  const htmlOf = async (markdown: string) => (await renderGuide(markdown, options)).body

  it('links to other documents, and shows links to files that are not served as text', async () => {
    const html = await htmlOf(
      '[one](a.md#place) [two](../server/x.ts) [three](javascript:alert) [four](https://a.example)',
    )
    expect(html).toBe(
      '<p><a href="/docs/guides/a#place">one</a> two three <a href="https://a.example">four</a></p>\n',
    )
  })

  it('names another document by its title', async () => {
    expect(await htmlOf('see [a.md](a.md#place)')).toBe(
      '<p>see <a href="/docs/guides/a#place">Apples &amp; co</a></p>\n',
    )
  })

  it('shows HTML as text', async () => {
    expect(await htmlOf('a <b onclick="x">b</b>\n\n<script>x</script>')).not.toMatch(/<b|<script/)
  })

  it('has the address of this service in its commands', async () => {
    const html = await htmlOf('```sh\ncurl http://localhost:3000/v1\n```\n\nnot `http://localhost:3000`')
    expect(textOf(html)).toContain('curl https://sign.example/v1')
    expect(textOf(html)).toContain('not http://localhost:3000')
  })

  it('names the column in each cell of a table, for phones', async () => {
    expect(await htmlOf('| `a` "b" | |\n|---|---|\n| c | d |')).toContain(
      '<td data-label="a &quot;b&quot;">c</td><td data-label="">d</td>',
    )
  })

  it('has headings with the ids that GitHub gives them', async () => {
    const { headings, title } = await renderGuide('# T & U\n## A `b` c: d?\n## A b c d\n### E', options)
    expect(title).toBe('T &amp; U')
    expect(headings.map(({ id }) => id)).toEqual(['a-b-c-d', 'a-b-c-d-1'])
  })
})
