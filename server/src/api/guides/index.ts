// The guides of docs/ as pages at /docs/guides. They are rendered at the first request and kept in memory.
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { Type } from 'typebox'
import { type Answer, publicRoute, type Route } from '#kernel/api/routes.ts'
import { compressFile, type StaticFile, staticAnswer } from '#kernel/http/static-files.ts'
import { memoize } from '../memoize.ts'
import { createPageWriter } from '../page.ts'
import { guideName, listDocs, pictureSize, readDoc, renamedGuides } from './files.ts'
import { guidesPath, type RenderedGuide, renderGuide } from './markdown.ts'
import { overviewBody } from './overview.ts'
import { guideStyle } from './style.ts'

const page = createPageWriter({ style: guideStyle, policy: "script-src 'self'; img-src 'self'; " })
const contentType = page.headers['content-type'] ?? ''

interface Site {
  readonly overview: StaticFile
  /** The script of the pages, and its name under the path of the guides. */
  readonly script: StaticFile
  readonly scriptName: string
  /** By `guideName`. */
  readonly guides: ReadonlyMap<string, StaticFile>
  /** Pictures and examples that exist, by path in docs/. */
  readonly files: ReadonlySet<string>
}

const typeOf = (path: string): string => {
  const [, picture] = /\.(png|webp)$/.exec(path) ?? []
  return picture === undefined ? 'text/plain; charset=utf-8' : `image/${picture}`
}

export function guideRoutes({ publicUrl }: { readonly publicUrl: string }): readonly Route[] {
  const getSite = memoize(() => loadSite(publicUrl))
  const answers = { 200: Type.String(), 304: null, 404: Type.String() }
  const fileOf = async (path: string): Promise<Answer> => {
    if (!(await getSite()).files.has(path)) return missingPage
    const body = await readDoc(path)
    const type = typeOf(path)
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
  const guideOf = async (
    name: string,
    client: Parameters<typeof staticAnswer>[1],
  ): Promise<Answer | undefined> => {
    const plain = name.replace(/\.md$/, '')
    const guide = (await getSite()).guides.get(renamedGuides.get(plain) ?? plain)
    return guide && staticAnswer(guide, client, page.headers)
  }
  return [
    publicRoute(guidesPath, 'The guides', answers, async ({ client }) =>
      staticAnswer((await getSite()).overview, client, page.headers),
    ),
    publicRoute(`${guidesPath}/{name}`, 'A guide', answers, async ({ params: { name = '' }, client }) => {
      const { script, scriptName } = await getSite()
      if (name === scriptName) return staticAnswer(script, client, {}, true)
      return (await guideOf(name, client)) ?? missingPage
    }),
    publicRoute(
      `${guidesPath}/{folder}/{file}`,
      'A guide of a folder, or a picture or an example of a guide',
      answers,
      async ({ params: { folder, file }, client }) =>
        (await guideOf(`${folder}/${file}`, client)) ?? fileOf(`${folder}/${file}`),
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
  for (const [path, text] of texts)
    rendered.set(guideName(path), await renderGuide(text, { ...options, folder: posix.dirname(path) }))
  const script = await compressFile(
    await readFile(join(import.meta.dirname, 'copy.js')),
    'text/javascript; charset=utf-8',
  )
  const scriptName = `copy-${script.hash}.js`
  const guides = [...rendered].map(
    async ([name, guide]) =>
      [name, await compressPage(guide.title, `${guideBody(guide)}${scriptElement(scriptName)}`)] as const,
  )
  return {
    script,
    scriptName,
    overview: await compressPage('Guides', `${navigation('<span>Guides</span>')}${overviewBody(rendered)}`),
    guides: new Map(await Promise.all(guides)),
    files: new Set([...docs].filter(path => !path.endsWith('.md'))),
  }
}

const compressPage = (title: string, body: string): Promise<StaticFile> =>
  compressFile(Buffer.from(page.html(`${title} · Signoff`, body)), contentType)

function guideBody({ title, headings, body }: RenderedGuide): string {
  const items = headings.map(({ id, name }) => `<li><a href="#${id}">${name}</a></li>`).join('')
  const contents =
    headings.length < 3 ? '' : `<nav class="contents" aria-label="On this page"><ul>${items}</ul></nav>`
  const path = `<a href="${guidesPath}">Guides</a><span class="here">${title}</span>`
  return `${navigation(path)}<main class="guide"><article>${body}</article>${contents}</main>`
}

const navigation = (path: string): string =>
  `<header><a href="/">Signoff</a>${path}<a class="reference" href="/docs">API reference</a></header>`

const scriptElement = (name: string): string => `<script src="${guidesPath}/${name}" defer></script>`

const missingPage: Answer = {
  status: 404,
  body: page.html(
    'Not found · Signoff',
    `${navigation(`<a href="${guidesPath}">Guides</a>`)}<main class="overview"><h1>There is no such guide</h1><p>The <a href="${guidesPath}">list of guides</a> has all of them.</p></main>`,
  ),
  headers: page.headers,
}
