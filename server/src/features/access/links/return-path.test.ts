import { describe, expect, it } from 'vitest'
import { safeReturnPath } from './return-path.ts'

const hostile = [
  'https://evil.example',
  'http://evil.example/path',
  'HTTPS://EVIL.EXAMPLE',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '//evil.example/%2f..',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '\u00a0//evil.example',
  '/\u200b/evil.example',
  '/\u202e/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/./\\evil.example',
  '/%2e//evil.example',
  '/%2f%2fevil.example',
  '/%2F/evil.example',
  '/%5cevil.example',
  '/%5C/evil.example',
  '/%252f%252fevil.example',
  '/%09/evil.example\t',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '/javascript:alert(1)\n',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'ftp://evil.example',
  'mailto:a@evil.example',
  'evil.example',
  'evil.example/path',
  './/evil.example',
  '../evil',
  '?next=//evil.example',
  '#//evil.example',
  '@evil.example',
  ':@evil.example',
  'http:evil.example',
  'https:/evil.example',
  'http:///evil.example',
  '//evil.example@localhost',
  '//localhost@evil.example',
  '//[::1]',
  '/\u2028/evil.example',
  '/\u0000/evil.example',
  '／／evil.example',
  '',
  ' ',
  `/${'a'.repeat(2_001)}`,
  '/auth/sign_out',
  '/auth/oidc/01890000-0000-7000-8000-000000000001',
  '/x/../auth/link/token',
  '/AUTH/link/token',
  '/auth',
  undefined,
  null,
  7,
  ['/a'],
  { toString: () => '/a' },
]

describe('the path to return to', () => {
  it.each(hostile.map(text => [text]))('is /account instead of %j', text => {
    expect(safeReturnPath(text)).toBe('/account')
  })

  it.each([
    ['/', '/account'],
    ['/signatures', '/signatures'],
    ['/signatures?page=2&q=a%20b#row-3', '/signatures?page=2&q=a%20b#row-3'],
    ['/a/../b', '/b'],
    ['/a//b', '/a//b'],
    ['/search?next=//evil.example', '/search?next=//evil.example'],
    ['/search?next=https://evil.example', '/search?next=https://evil.example'],
    ['/authors', '/authors'],
    ['/Grüße', '/Gr%C3%BC%C3%9Fe'],
    ['/a@b', '/a@b'],
    ['/a:b', '/a:b'],
  ])('%j stays on this site as %j', (text, expected) => {
    expect(safeReturnPath(text)).toBe(expected)
    for (const origin of ['https://signoff.example.com', 'http://localhost:8080'])
      expect(new URL(safeReturnPath(text), origin).origin).toBe(origin)
  })

  it('never leaves the site, whatever the text', () => {
    const pieces = ['/', '\\', '.', '..', '%2f', '%5c', '@', ':', 'evil.example', '\t', '\n', '?', '#', ' ']
    const wrong = Array.from({ length: 20_000 }, () =>
      Array.from({ length: 6 }, () => pieces[Math.floor(Math.random() * pieces.length)]).join(''),
    ).filter(text => {
      const path = safeReturnPath(text)
      const { origin } = new URL(path, 'https://signoff.example.com')
      return !path.startsWith('/') || path.startsWith('//') || origin !== 'https://signoff.example.com'
    })
    expect(wrong).toEqual([])
  })
})
