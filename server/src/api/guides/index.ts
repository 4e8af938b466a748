// The guides of docs/ as pages at /docs/guides. They are rendered at the first request and kept in memory.
import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { apiError } from '#kernel/errors.ts'
import { publicRoute, type Route } from '#kernel/routes.ts'
import { compressFile, type StaticFile, staticAnswer } from '#kernel/static-files.ts'
import { memoize } from '../memoize.ts'
import { createPageWriter, linkList } from '../page.ts'
import { listDocs, pictureSize, readDoc } from './files.ts'
import { guidesPath, type RenderedGuide, renderGuide } from './markdown.ts'
import { guideStyle } from './style.ts'

/** The order of the guides on their page. Others follow under "More". */
const groups = [
  ['Start', ['first-signature', 'templates', 'content', 'pictures', 'import', 'previews', 'publishing']],
  ['Reach mailboxes', ['personal-page', 'gmail', 'webhook', 'contact-cards']],
  ['Campaigns and numbers', ['campaigns', 'analytics', 'events', 'tracking']],
  ['Integrate and operate', ['api', 'errors', 'operating', 'performance']],
] as const

const page = createPageWriter({ style: guideStyle, policy: "img-src 'self'; " })
const contentType = page.headers['content-type'] ?? ''

interface Site {
  readonly overview: StaticFile
  /** By name, without `.md`. */
  readonly guides: ReadonlyMap<string, StaticFile>
  /** Pictures and examples that exist, by path in docs/. */
  readonly files: ReadonlySet<string>
}

export function guideRoutes({ publicUrl }: { readonly publicUrl: string }): readonly Route[] {
  const getSite = memoize(() => loadSite(publicUrl))
  const answers = { 200: Type.String(), 304: null }
  const fileOf = async (path: string) => {
    if (!(await getSite()).files.has(path)) throw apiError('not_found')
    const body = await readDoc(path)
    const type = path.endsWith('.png') ? 'image/png' : 'text/plain; charset=utf-8'
    return {
      status: 200,
      body,
      headers: {
        'content-type': type,
        'x-content-type-options': 'nosniff',
        etag: `"${hash('sha256', body).slice(0, 16)}"`,
        'cache-control': 'no-cache',
      },
    }
  }
  return [
    publicRoute(guidesPath, 'The guides', answers, async ({ client }) =>
      staticAnswer((await getSite()).overview, client, page.headers),
    ),
    publicRoute(`${guidesPath}/{name}`, 'A guide', answers, async ({ params: { name = '' }, client }) => {
      const guide = (await getSite()).guides.get(name.replace(/\.md$/, ''))
      if (!guide) throw apiError('not_found')
      return staticAnswer(guide, client, page.headers)
    }),
    publicRoute(
      `${guidesPath}/{folder}/{file}`,
      'A picture or an example of a guide',
      answers,
      ({ params: { folder, file } }) => fileOf(`${folder}/${file}`),
    ),
    publicRoute(
      `${guidesPath}/{folder}/{part}/{file}`,
      'A picture of a guide',
      answers,
      ({ params: { folder, part, file } }) => fileOf(`${folder}/${part}/${file}`),
    ),
  ]
}

async function loadSite(publicUrl: string): Promise<Site> {
  const docs = await listDocs()
  const pictures = [...docs].filter(path => path.endsWith('.png'))
  const sizes = new Map(
    await Promise.all(pictures.map(async path => [path, await pictureSize(path)] as const)),
  )
  const texts = new Map<string, string>()
  for (const path of docs) if (path.endsWith('.md')) texts.set(path, String(await readDoc(path)))
  const options = {
    publicUrl,
    titleOf: (path: string) => /^# (.*)/.exec(texts.get(path) ?? '')?.[1],
    sizeOf: (path: string) => sizes.get(path),
    has: (path: string) => docs.has(path),
  }
  const rendered = new Map<string, RenderedGuide>()
  for (const [path, text] of texts) rendered.set(path.slice(0, -3), await renderGuide(text, options))
  const guides = [...rendered].map(
    async ([name, guide]) => [name, await compressPage(guide.title, guideBody(guide))] as const,
  )
  return {
    overview: await compressPage('Guides', overviewBody(rendered)),
    guides: new Map(await Promise.all(guides)),
    files: new Set([...docs].filter(path => !path.endsWith('.md'))),
  }
}

const compressPage = (title: string, body: string): Promise<StaticFile> =>
  compressFile(Buffer.from(page.html(`${title} · Signoff`, body)), contentType)

function overviewBody(guides: ReadonlyMap<string, RenderedGuide>): string {
  const listed = new Set<string>(groups.flatMap(([, names]) => names))
  const more = ['More', [...guides.keys()].filter(name => !listed.has(name))] as const
  const sections = [...groups, more].map(([title, names]) => {
    const links = names.flatMap(name => {
      const guide = guides.get(name)
      return guide ? [{ path: `${guidesPath}/${name}`, name: guide.title, about: guide.about }] : []
    })
    return links.length === 0 ? '' : `<h2>${title}</h2>${linkList(links)}`
  })
  return `${navigation('<span>Guides</span>')}<main class="overview"><h1>Guides</h1>${sections.join('')}</main>`
}

function guideBody({ title, headings, body }: RenderedGuide): string {
  const items = headings.map(({ id, name }) => `<li><a href="#${id}">${name}</a></li>`).join('')
  const contents =
    headings.length < 3 ? '' : `<nav class="contents" aria-label="On this page"><ul>${items}</ul></nav>`
  const path = `<a href="${guidesPath}">Guides</a><span class="here">${title}</span>`
  return `${navigation(path)}<main class="guide"><article>${body}</article>${contents}</main>`
}

const navigation = (path: string): string =>
  `<header><a href="/">Signoff</a>${path}<a class="reference" href="/docs">API reference</a></header>`
