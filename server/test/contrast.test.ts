// The check of pages that tests use: it must find what axe finds, and a pale text although it remembers what is readable.
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { openBrowser } from './support/browser/browser.ts'
import { checkAccess, colorSchemes, openContext } from './support/browser/sign-in-browser.ts'

let page: Page
beforeAll(async () => {
  page = await (await openContext(await openBrowser())).newPage()
})

const show = (body: string) =>
  page.setContent(
    `<!doctype html><html lang="en"><title>Contrast</title>
    <style>:root { color-scheme: light dark } .paper { background: #fff; color: #222 }</style>
    <body class="paper"><main><h1>Contrast</h1>${body}</main>`,
  )
const pale = '<p style="color:#bbb">pale</p>'

it.each([
  ['a pale text', pale],
  ['a pale text again', `<p>readable</p>${pale}`],
  ['a text that is pale on its layer', '<p style="background:#444">dark on dark</p>'],
  [
    'a text before a layer that is no parent',
    '<div style="position:relative"><div style="position:absolute;inset:0;background:#333"></div><p style="position:relative">covered</p></div>',
  ],
  ['a text that shines through', '<p style="opacity:.4">faint</p>'],
  [
    'a pale small text in the colours of a large one',
    '<h2 style="font-size:40px;color:#888">Large</h2><p style="color:#888">small</p>',
  ],
  [
    'a text that is pale in the dark',
    '<style>@media (prefers-color-scheme: dark) { .dark { color: #ccc } }</style><p class="dark">dark</p>',
  ],
])('finds %s', async (_, body) => {
  await show('<p>readable</p>')
  await checkAccess(page, 'html', colorSchemes)
  await show(body)
  await expect(checkAccess(page, 'html', colorSchemes)).rejects.toThrow(/about:blank (light|dark): /)
})

it('finds a control without a name, and shows it', async () => {
  await show('<button id="nameless"></button>')
  const actual = ['button-name <button id="nameless"></button>']
  await expect(checkAccess(page)).rejects.toMatchObject({ actual })
})
