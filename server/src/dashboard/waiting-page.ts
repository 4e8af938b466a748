// What the addresses of the dashboard show until it is built.
import type { Answer } from '#kernel/api/routes.ts'
import { tokenStyle } from '#pages/document.ts'
import type { DashboardState } from './routes.ts'

const escaped = (text: string): string => text.replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`)

const style = `${tokenStyle}body{margin:0;display:grid;grid-template-columns:minmax(0,34rem);place-content:center;min-height:100vh;background:var(--paper);color:var(--ink);font:0.875rem/1.25rem var(--font)}main{padding:1rem}h1{font-size:1.5rem;line-height:2rem;letter-spacing:-0.025em}pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:0.8125rem}`

const texts = {
  building:
    '<h1>Almost ready</h1><p>The dashboard is being prepared. This takes a few seconds, once per version; the page opens by itself.</p>',
  off: '<h1>The dashboard is switched off</h1><p>SIGNOFF_DASHBOARD is off on this installation. The API works.</p>',
}

export function waitingPage(state: Exclude<DashboardState, { readonly status: 'ready' }>): Answer {
  const isBuilding = state.status === 'building'
  const content =
    state.status === 'failed'
      ? `<h1>The dashboard could not be prepared</h1><p>The API works. The log of the service has the reason:</p><pre>${escaped(state.reason)}</pre>`
      : texts[state.status]
  return {
    status: isBuilding || state.status === 'failed' ? 503 : 404,
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${isBuilding ? '<meta http-equiv="refresh" content="1">' : ''}<title>Signoff</title><style>${style}</style></head><body><main>${content}</main></body></html>`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'",
      'cache-control': 'no-store',
      ...(isBuilding && { 'retry-after': '1' }),
    },
  }
}
