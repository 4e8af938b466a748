// The page at `/`, for a person who opens the address of the service in a browser.
import { hash } from 'node:crypto'
import { createRequire } from 'node:module'
import { Type } from 'typebox'
import { type Answer, publicRoute, type Route } from '#kernel/routes.ts'

const { version } = createRequire(import.meta.url)('../../package.json') as { readonly version: string }

const style = `
:root { color-scheme: light dark; --paper: #f4f5f7; --card: #fff; --ink: #1b1f24; --faint: #57606a; --line: #d0d7de; --accent: #0b5cad }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --card: #1e2227; --ink: #e8eaed; --faint: #a5afb9; --line: #3d444d; --accent: #8cc2ff }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif }
main { max-width: 40rem; margin: 0 auto; padding: 12vh 1rem 3rem }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; letter-spacing: -0.01em }
p { margin: 0.5rem 0 0; color: var(--faint) }
ul { margin: 2rem 0 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 12px; background: var(--card); overflow: hidden }
li + li { border-top: 1px solid var(--line) }
a { display: block; padding: 0.9rem 1.1rem; color: inherit; text-decoration: none }
a:hover strong, a:focus-visible strong { text-decoration: underline }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px }
strong { color: var(--accent); font-weight: 600 }
span { display: block; color: var(--faint); font-size: 0.9rem }
footer { margin-top: 1.5rem; color: var(--faint); font-size: 0.85rem }
`

const links = [
  ['/docs', 'API reference', 'Every route, with its fields, and a form to try it'],
  ['/v1/openapi.json', 'OpenAPI document', 'The same for programs'],
  ['/readyz', 'Health', 'Whether the service can take requests'],
] as const

const items = links
  .map(
    ([path, name, about]) => `<li><a href="${path}"><strong>${name}</strong><span>${about}</span></a></li>`,
  )
  .join('')

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Signoff</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>${style}</style></head>
<body><main><h1>Signoff</h1><p>Email signatures for the whole company. This service is running.</p>
<ul>${items}</ul><footer>Version ${version}</footer></main></body></html>
`

const answer: Answer = {
  status: 200,
  body: page,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  },
}

export const homeRoutes: readonly Route[] = [
  publicRoute('/', 'A page that says what this service is', { 200: Type.String() }, async () => answer),
]
