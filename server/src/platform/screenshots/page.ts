// The page around a signature, as a mail client shows it: an HTML fragment in a page of the client, without a mail
// above it.
//
// Simulated: the client's background, text colour, link colour and font, where the signature sets none; the width;
// phones that shrink wide content. In dark mode a signature keeps the colours that it sets, as in most clients. Not
// simulated: clients that change colours (some lighten dark text), the table layout of Word, blocked pictures.

import type { PageFonts } from './script-fonts.ts'

export const themes = {
  light: { background: '#ffffff', text: '#222222', link: '#1155cc' },
  dark: { background: '#1f1f1f', text: '#e8eaed', link: '#8ab4f8' },
} as const
export type Theme = keyof typeof themes

/** In CSS pixels. */
export const widths = { desktop: 700, phone: 375 } as const
export type Width = keyof typeof widths

// Much larger than any signature. Drawing a picture of this size takes 50 MB of memory.
const maxSize = { width: 1_500, height: 2_000 }

export function htmlPageOf(html: string, theme: Theme, fonts: PageFonts): string {
  const { background, text, link } = themes[theme]
  const families = ['Arial', 'sans-serif', ...fonts.families.map(family => `'${family}'`)].join(',')
  return `<!doctype html><html><head><meta charset="utf-8"><style>
${fonts.css}
html{color-scheme:${theme};background:${background}}
body{margin:0;color:${text};font:13px ${families}}
a{color:${link}}
main{display:inline-block;vertical-align:top;box-sizing:border-box;min-width:100vw;max-width:${maxSize.width}px;max-height:${maxSize.height}px;position:relative;overflow:hidden;padding:12px}
</style></head><body><main>${html}</main></body></html>`
}

/** Enforced by the browser: only pictures and fonts over HTTP, no script, no navigation to another page (`sandbox`). */
export const policy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src http: https:; font-src http: https:"
