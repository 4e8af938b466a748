// The frame of every sign-in page. The content security policy allows one style and three scripts, by their hash.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PageBrand } from './brand.ts'
import { type PageLanguage, textsIn } from './language.ts'
import { type Html, html, trusted } from './markup.ts'
import type { Texts } from './texts/en.ts'

const readAsset = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
const style = readAsset('page.css')
const scripts = {
  fragment: readAsset('fragment.js'),
  passkey: readAsset('passkey.js'),
  tools: readAsset('tools.js'),
}
const sourceOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** Besides `tools`, which every page has. */
export type PageScript = Exclude<keyof typeof scripts, 'tools'>

/** What every page knows. */
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
const brandStyles = (brand: PageBrand | null): readonly string[] =>
  brand?.colors ? [`:root{${brand.colors}}`] : []

/**
 * `same-origin` for the referrer: with `no-referrer` browsers send `Origin: null` with a form, and over plain http,
 * without Sec-Fetch-Site, the same-origin check would refuse it. No other site gets a referrer. Without a public URL the
 * page loads no pictures.
 */
export const headersOfPages = (
  publicUrl: string | null,
  brand: PageBrand | null = null,
): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${Object.values(scripts).map(sourceOf).join(' ')}`,
    `style-src ${[style, ...brandStyles(brand)].map(sourceOf).join(' ')}`,
    publicUrl === null ? "img-src 'none'" : `img-src 'self' ${new URL(publicUrl).origin} data:`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  vary: 'Accept-Language',
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
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${t.pageOf(title, brand?.name ?? t.product)}</title>
${[style, ...brandStyles(brand)].map(text => html`<style>${trusted(text)}</style>\n`)}</head>
<body data-show="${t.show}" data-hide="${t.hide}">
<main>
<p class="brand">${brandPicture(context)}</p>
${body}
</main>
${([...used, 'tools'] as const).map(name => html`<script>${trusted(scripts[name])}</script>\n`)}</body>
</html>
`.text
}
