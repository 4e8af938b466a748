// The frame of every sign-in page.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashSourceOf, pageDocument, pageHeaders, pageStyle } from '#pages/document.ts'
import { type Html, html, trusted } from '#pages/markup.ts'
import type { PageBrand } from './brand.ts'
import { type PageLanguage, textsIn } from './language.ts'
import type { Texts } from './texts/en.ts'

const readAsset = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
const style = pageStyle + readAsset('sign-in.css')
const scripts = {
  fragment: readAsset('fragment.js'),
  passkey: readAsset('passkey.js'),
  tools: readAsset('tools.js'),
}

/** Besides `tools`, which every page has. */
export type PageScript = Exclude<keyof typeof scripts, 'tools'>

/** Data that every page has. */
export interface PageContext {
  readonly language: PageLanguage
  readonly t: Texts
  readonly brand: PageBrand | null
}

export const contextIn = (language: PageLanguage, brand: PageBrand | null): PageContext => ({
  language,
  t: textsIn(language),
  brand,
})

export interface PageParts {
  readonly title: string
  readonly body: Html
  readonly scripts?: readonly PageScript[]
}

/** The colours of the company, for the style of the page. */
const stylesOf = (brand: PageBrand | null): readonly string[] =>
  brand?.colors ? [style, `:root{${brand.colors}}`] : [style]

/** Without a public URL the page loads no pictures. */
export const headersOfPages = (
  publicUrl: string | null,
  brand: PageBrand | null = null,
): Readonly<Record<string, string>> =>
  pageHeaders({
    scripts: Object.values(scripts),
    own: [
      `style-src ${stylesOf(brand).map(hashSourceOf).join(' ')}`,
      publicUrl === null ? "img-src 'none'" : `img-src 'self' ${new URL(publicUrl).origin} data:`,
    ],
  })

/** A pen stroke above a line. */
const mark = trusted(
  '<svg class="mark" viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M4 27h24"/><path d="M5 20c5-1 9-15 12-14s-4 13-1 13 4-6 6-5 0 5 5 4"/></svg>',
)

/** Logos are made for white paper. */
function brandPicture({ t, brand }: PageContext): Html {
  if (!brand) return html`${mark}<span class="company">${t.product}</span>`
  if (brand.logoUrl === null) return html`${mark}<span class="company">${brand.name}</span>`
  return html`<span class="plate"><img class="logo" src="${brand.logoUrl}" alt="${brand.name}"></span>`
}

export function documentFor(context: PageContext, { title, body, scripts: used = [] }: PageParts): string {
  const { language, t, brand } = context
  return pageDocument({
    language,
    title: t.pageOf(title, brand?.name ?? t.product),
    styles: stylesOf(brand),
    texts: { show: t.show, hide: t.hide },
    main: html`<p class="brand">${brandPicture(context)}</p>
${body}`,
    scripts: [...used, 'tools' as const].map(name => scripts[name]),
  })
}
