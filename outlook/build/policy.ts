// The content security policy of the add-in's pages.
import { hash } from 'node:crypto'
import type { AddInSettings } from '../src/wire.ts'

const sourcesOf = (page: string, element: RegExp): string =>
  [...page.matchAll(element)].map(([, text = '']) => ` 'sha256-${hash('sha256', text, 'base64')}'`).join('')

/**
 * Inline scripts and styles of the page are allowed by their hash. The only scripts of another host are Office.js and
 * the files that it loads from its own folder. Signatures are styled by attributes, and their pictures can be anywhere.
 * Every https page may frame the add-in, because Outlook on the web of an Exchange server has the address of a company.
 */
export function pagePolicy(page: string, { auth, base }: AddInSettings): string {
  const origin = new URL(base).origin
  return [
    "default-src 'none'",
    `script-src 'self' https://appsforoffice.microsoft.com${sourcesOf(page, /<script>([^<]*)<\/script>/g)}`,
    "style-src 'unsafe-inline'",
    `style-src-elem 'self'${sourcesOf(page, /<style>([^<]*)<\/style>/g)}`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' ${origin} https: data:`,
    `connect-src 'self' ${origin}${auth === 'naa' ? ' https://login.microsoftonline.com' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors https:',
  ].join('; ')
}
