// What the pages of this service for people share: their look, their frame and their headers.
import { hashSourceOf, tokenStyle } from '#pages/document.ts'

const sharedStyle = `${tokenStyle}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 var(--font) }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; letter-spacing: -0.01em }
footer { margin-top: 1.5rem; color: var(--faint); font-size: 0.85rem }
.links { margin: 2rem 0 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 12px; background: var(--card); overflow: hidden }
.links li + li { border-top: 1px solid var(--line) }
.links a { display: block; padding: 0.9rem 1.1rem; color: inherit; text-decoration: none }
.links a:hover strong, .links a:focus-visible strong { text-decoration: underline }
.links a:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px }
.links strong { color: var(--accent); font-weight: 700 }
.links span { display: block; color: var(--faint); font-size: 0.9rem }
`

export interface PageDesign {
  /** CSS after the shared style. */
  readonly style: string
  /** More directives of the content security policy. */
  readonly policy?: string
}

export interface PageWriter {
  readonly headers: Readonly<Record<string, string>>
  /** `body` is HTML. */
  html(title: string, body: string): string
}

export function createPageWriter({ style, policy = '' }: PageDesign): PageWriter {
  const css = sharedStyle + style
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src ${hashSourceOf(css)}; font-src 'self'; ${policy}base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
    html: (title, body) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>${css}</style></head>
<body>${body}</body></html>
`,
  }
}

export interface PageLink {
  readonly path: string
  readonly name: string
  readonly about: string
}

/** A list of links. Names and descriptions are HTML. */
export const linkList = (links: readonly PageLink[]): string =>
  `<ul class="links">${links
    .map(
      ({ path, name, about }) =>
        `<li><a href="${path}"><strong>${name}</strong><span>${about}</span></a></li>`,
    )
    .join('')}</ul>`
