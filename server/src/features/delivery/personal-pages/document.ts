// The frame of every personal page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashSourceOf, pageDocument, pageHeaders, pageStyle } from '#pages/document.ts'
import { type Html, html, trusted } from '#pages/markup.ts'
import type { PageLook } from './look.ts'
import type { PageWords } from './texts/index.ts'

const readPart = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
const style = pageStyle + readPart('personal.css')
const scripts = {
  copy: readPart('page.js'),
  /** A block keeps the names of one script from the other. */
  picture: `{\n${readPart('crop.js').replace(/^export /gm, '')}\n${readPart('picture.js')}}`,
}

export type PersonalPageScript = keyof typeof scripts

/** Signatures are styled by attributes. `style-src` is for browsers without `style-src-elem` and `style-src-attr`. */
export const headersOfPersonalPages = (publicUrl: string): Readonly<Record<string, string>> =>
  pageHeaders({
    scripts: Object.values(scripts),
    own: [
      "style-src 'unsafe-inline'",
      `style-src-elem ${hashSourceOf(style)}`,
      "style-src-attr 'unsafe-inline'",
      `img-src 'self' ${new URL(publicUrl).origin} https: blob:`,
    ],
  })

export interface PageFrame {
  readonly words: PageWords
  /** Null where the company is not known. */
  readonly look: PageLook | null
}

/** JSON without `<`, so no value can close the script element around it. */
export const embeddedJson = (id: string, data: object): Html =>
  html`<script type="application/json" id="${id}">${trusted(JSON.stringify(data).replaceAll('<', '\\u003c'))}</script>\n`

/** Logos are made for white paper. */
function brandOf(look: PageLook | null): Html | null {
  if (!look || look.company === '') return null
  const { company, logo } = look
  if (!logo) return html`<p class="brand"><span class="company" dir="auto">${company}</span></p>`
  return html`<p class="brand"><span class="plate"><img class="logo" src="${logo.url}" width="${logo.width}" height="${logo.height}" alt=""></span><span class="company" dir="auto">${company}</span></p>`
}

export interface PersonalPageParts {
  readonly title: string
  readonly main: Html
  /** Scripts, and the data that they read. */
  readonly data?: readonly Html[]
  readonly scripts?: readonly PersonalPageScript[]
}

export function personalDocument(
  { words: { language, direction }, look }: PageFrame,
  { title, main, data = [], scripts: used = [] }: PersonalPageParts,
): string {
  return pageDocument({
    language,
    direction,
    title: look?.company ? `${title} · ${look.company}` : title,
    styles: [style],
    rootStyle: look?.colors ?? '',
    head: html`<header class="head-bar">${brandOf(look)}</header>\n`,
    main,
    data,
    scripts: used.map(name => scripts[name]),
  })
}
