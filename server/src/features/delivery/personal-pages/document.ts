// The frame of every personal page. The content security policy allows one style and two scripts, by their hash, and
// blocks everything else that could run.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Html, html, trusted } from '#features/access/sign-in-pages/index.ts'
import type { PageLook } from './look.ts'
import type { PageWords } from './texts/index.ts'

const readPart = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
const style = readPart('page.css')
const scripts = {
  copy: readPart('page.js'),
  /** A block keeps the names of one script from the other. */
  picture: `{\n${readPart('crop.js').replace(/^export /gm, '')}\n${readPart('picture.js')}}`,
}
const sourceOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

export type PersonalPageScript = keyof typeof scripts

/**
 * Signatures are styled by attributes. `style-src` is for browsers without `style-src-elem` and `style-src-attr`.
 * `same-origin` for the referrer: with `no-referrer` browsers send `Origin: null` with a form, and over plain http,
 * without Sec-Fetch-Site, the same-origin check would refuse it. No other site gets a referrer.
 */
export const headersOfPersonalPages = (publicUrl: string): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${Object.values(scripts).map(sourceOf).join(' ')}`,
    "style-src 'unsafe-inline'",
    `style-src-elem ${sourceOf(style)}`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' ${new URL(publicUrl).origin} https: blob:`,
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
  const colors = look?.colors ? html` style="${look.colors}"` : null
  return html`<!doctype html>
<html lang="${language}" dir="${direction}"${colors}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${look?.company ? `${title} · ${look.company}` : title}</title>
<style>${trusted(style)}</style>
</head>
<body class="page">
<header class="top">${brandOf(look)}</header>
<main class="main">
${main}
</main>
${data}${used.map(name => html`<script>${trusted(scripts[name])}</script>\n`)}</body>
</html>
`.text
}
