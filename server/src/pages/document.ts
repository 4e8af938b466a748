// The frame of every page that the server draws for people. The content security policy allows styles and scripts by
// their hash, and blocks everything else that could run.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Html, html, trusted } from './markup.ts'

const readOwn = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')

/** The colours and the font alone, for pages with a style of their own. */
export const tokenStyle = readOwn('tokens.css')
/** Add the style of the page after it. */
export const pageStyle = tokenStyle + readOwn('page.css')

export const hashSourceOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

interface PagePolicy {
  readonly scripts: readonly string[]
  /** The directives for styles and pictures, which differ. */
  readonly own: readonly string[]
}

/**
 * `same-origin` for the referrer: with `no-referrer` browsers send `Origin: null` with a form, and over plain http,
 * without Sec-Fetch-Site, the same-origin check would refuse it. No other site gets a referrer.
 */
export const pageHeaders = ({ scripts, own }: PagePolicy): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${scripts.map(hashSourceOf).join(' ')}`,
    ...own,
    "font-src 'self'",
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

interface PageContent {
  readonly language: string
  readonly direction?: 'ltr' | 'rtl'
  readonly title: string
  readonly styles: readonly string[]
  /** Style of the root element, for the colours of a company. */
  readonly rootStyle?: string
  /** Texts for scripts: `data-show` and the like. */
  readonly texts?: Readonly<Record<string, string>>
  /** Above the main part. */
  readonly head?: Html | null
  readonly main: Html
  /** Data for scripts. */
  readonly data?: readonly Html[]
  readonly scripts: readonly string[]
}

export function pageDocument(content: PageContent): string {
  const { language, direction, title, styles, rootStyle, texts = {}, head, main } = content
  const { data = [], scripts } = content
  return html`<!doctype html>
<html lang="${language}"${direction !== undefined && html` dir="${direction}"`}${rootStyle ? html` style="${rootStyle}"` : null}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${styles.map(text => html`<style>${trusted(text)}</style>\n`)}</head>
<body class="page"${Object.entries(texts).map(([name, text]) => html` data-${name}="${text}"`)}>
${head}<main class="main">
${main}
</main>
${data}${scripts.map(text => html`<script>${trusted(text)}</script>\n`)}</body>
</html>
`.text
}
