// The words of a signature, as a person edits them on the canvas.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, visit } from '../support/browser/dashboard.ts'
import { checkPage, overlays, pageFaults } from '../support/browser/sign-in-browser.ts'
import { pastedSnippets, writtenWords } from './pasted-snippets.ts'

interface StoredToken {
  readonly value?: string
  readonly smartFieldUuid?: string
  readonly prefix?: string
  readonly fallback?: string
}
interface StoredBlock {
  readonly displayName: string
  readonly tokens: readonly StoredToken[]
}

let dashboard: DashboardApp
let page: Page
let id: string
let phoneId: string

const textBlock = (displayName: string, value: string) => ({
  type: 'text',
  displayName,
  tokens: [{ value, textStyle: { fontSize: 16, color: '#224466' } }],
})

beforeAll(async () => {
  dashboard = await dashboardApp()
  const { app } = dashboard
  const fields: { id: string; label: string }[] = (await app.get('/v1/smart_fields?limit=100')).body.data
  phoneId = fields.find(({ label }) => label === 'Work phone')?.id ?? ''
  const created = await app.post('/v1/signatures', {
    name: 'Words',
    draft_content: {
      type: 'stack',
      children: [
        textBlock('Fields', 'Call me'),
        textBlock('Pasted', 'Start'),
        textBlock('Typed', 'one'),
        {
          type: 'button',
          displayName: 'Booking',
          tokens: [{ value: 'Book' }],
          href: { text: 'https://northbean.example/book' },
        },
      ],
    },
  })
  id = created.body.data.id
  page = await dashboard.signIn()
  await page.setViewportSize({ width: 1280, height: 800 })
  await visit(page, `${dashboard.url}/signatures/${id}/edit`)
  await page.getByText('Call me').first().waitFor()
})

const tokensOf = async (name: string): Promise<readonly StoredToken[]> => {
  const { body } = await dashboard.app.get(`/v1/signatures/${id}`)
  const blocks: readonly StoredBlock[] = body.data.draft_content.children
  return blocks.find(({ displayName }) => displayName === name)?.tokens ?? []
}
const valuesOf = async (name: string) =>
  (await tokensOf(name)).map(({ value, smartFieldUuid }) => smartFieldUuid ?? value)
const text = () => page.getByRole('textbox', { name: 'Edit text' })
const list = () => page.getByRole('listbox')
/** The browser tells the page about a moved cursor a moment later, sooner than a person presses the next key. */
const press = async (...keys: readonly string[]) => {
  for (const key of keys) {
    await page.keyboard.press(key)
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
  }
}
const isFocused = () =>
  expect.poll(() => text().evaluate(element => element === document.activeElement)).toBe(true)

/** Begins at the outline, by keyboard. */
const edit = async (name: string) => {
  await page.getByRole('treeitem', { name }).first().click()
  await page.getByRole('button', { name: 'Edit text', exact: true }).click()
  await isFocused()
}

describe('a smart field in a text', () => {
  it('is chosen from a menu that `{` opens, and Escape leaves what was typed', async () => {
    await page.getByText('Call me').first().dblclick()
    await isFocused()
    await press('End')
    // The words stay where they are while the signature grows.
    const paper = async () => (await page.locator('[data-canvas]').boundingBox()) ?? { x: 0, width: 0 }
    const before = await paper()
    // A letter takes 60 ms of CPU time: the page is drawn after each.
    await page.keyboard.insertText(' with many more words, which make the signature wide')
    await page.keyboard.type('r')
    await expect.poll(async () => (await paper()).width).toBeGreaterThan(before.width + 20)
    expect((await paper()).x).toBe(before.x)
    await press('Control+a')
    await page.keyboard.insertText('Call me')
    await page.keyboard.type(' {')
    await list().waitFor()
    await press('Escape')
    await list().waitFor({ state: 'detached' })
    expect(await text().innerText()).toBe('Call me {')
    await press('Backspace')
    await page.keyboard.type('{work p')
    await expect.poll(() => list().getByRole('option').allInnerTexts()).toEqual(['Work phone'])
    expect(await text().getAttribute('aria-activedescendant')).toBe(
      await list().getByRole('option').getAttribute('id'),
    )
    await checkPageWithMenu()
    await press('Enter')
    await page.keyboard.type(' now /')
    await list().getByRole('option', { name: 'Line break' }).click()
    await page.keyboard.type('and/or later')
    await expect.poll(() => valuesOf('Fields')).toEqual(['Call me ', phoneId, ' now \nand/or later'])
  })

  it('has settings in the inspector, survives copy and paste, and goes with Backspace', async () => {
    await text().locator('.signoff-field').click()
    await page.getByLabel('Fallback text').fill('the office')
    await page.getByLabel('Before', { exact: true }).fill('T ')
    await expect
      .poll(() => tokensOf('Fields'))
      .toMatchObject([{}, { prefix: 'T ', fallback: 'the office' }, {}])
    await text().click()
    await press('Control+a', 'Control+c', 'Control+End', 'Control+v')
    await expect.poll(() => valuesOf('Fields')).toHaveLength(6)
    expect(await valuesOf('Fields')).toEqual([
      'Call me ',
      phoneId,
      ' now \nand/or later',
      'Call me ',
      phoneId,
      ' now \nand/or later',
    ])
    expect((await tokensOf('Fields'))[4]).toMatchObject({ prefix: 'T ', fallback: 'the office' })
    await press('Control+Home')
    for (let letters = 0; letters < 'Call me '.length; letters += 1) await press('ArrowRight')
    await press('ArrowRight', 'ArrowRight', 'Backspace')
    await expect
      .poll(async () => (await valuesOf('Fields')).filter(value => value === phoneId))
      .toHaveLength(1)
    await press('Escape')
    await text().waitFor({ state: 'detached' })
  })
})

const checkPageWithMenu = async () => {
  await checkPage(page, overlays)
  await list().waitFor()
}

describe('words from other programs', () => {
  it('are cleaned, and take the style at the cursor', async () => {
    await edit('Pasted')
    await press('Control+a')
    for (const { html, text: plain } of pastedSnippets) {
      await text().evaluate(
        (element, [markup, words]) => {
          const clipboardData = new DataTransfer()
          if (markup) clipboardData.setData('text/html', markup)
          clipboardData.setData('text/plain', words ?? '')
          element.dispatchEvent(
            new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
          )
        },
        [html, plain],
      )
      await page.keyboard.insertText('§')
    }
    await press('Escape')
    await expect.poll(async () => writtenWords(await tokensOf('Pasted')).split('§').length).toBe(11)
    const words = writtenWords(await tokensOf('Pasted')).split('§')
    expect(words.slice(0, 10)).toEqual(pastedSnippets.map(snippet => snippet.words))
    for (const token of await tokensOf('Pasted'))
      expect(token).toMatchObject({ textStyle: { fontSize: 16, color: '#224466' } })
  })
})

describe('typing', () => {
  it('loses no letter while the signature is saved, and is undone word by word', {
    tags: ['deep'],
  }, async () => {
    const saves: string[] = []
    page.on('request', request => request.method() === 'PATCH' && saves.push(request.url()))
    await edit('Typed')
    const words = Array.from({ length: 5 }, (_, index) => `word${index}`).join(' ')
    await page.keyboard.type(` ${words}`, { delay: 10 })
    await expect.poll(() => valuesOf('Typed')).toEqual([`one ${words}`])
    await expect.poll(() => saves.length).toBeGreaterThan(0)
    await page.keyboard.type(' two three')
    await press('Control+z')
    await expect.poll(() => text().innerText()).toBe(`one ${words} two `)
    await press('Control+z', 'Control+Shift+z')
    await expect.poll(() => text().innerText()).toBe(`one ${words} two `)
    await press('Control+a')
    await page.keyboard.type('x')
    await expect.poll(() => valuesOf('Typed')).toEqual(['x'])
  })

  it('composes letters of an input method, in the direction of the words', { tags: ['deep'] }, async () => {
    await press('Control+a', 'Delete')
    const input = await page.context().newCDPSession(page)
    const compose = (letters: string) =>
      input.send('Input.imeSetComposition', {
        text: letters,
        selectionStart: letters.length,
        selectionEnd: letters.length,
      })
    for (const letters of ['し', 'しょ', 'しょめい']) await compose(letters)
    await input.send('Input.insertText', { text: '署名' })
    await expect.poll(() => valuesOf('Typed')).toEqual(['署名'])
    await press('Control+a')
    await page.keyboard.insertText('שלום עולם')
    await press('Enter')
    await page.keyboard.insertText('x')
    const isRightToLeft = () => text().evaluate(element => element.matches(':dir(rtl)'))
    expect(await isRightToLeft()).toBe(true)
    expect(await text().getAttribute('spellcheck')).toBe('true')
    await expect
      .poll(() => tokensOf('Typed'))
      .toMatchObject([{ value: 'שלום עולם\nx', textStyle: { fontSize: 16 } }])
    await press('Escape')
  })
})

describe('the toolbar of a text', { tags: ['deep'] }, () => {
  const box = async (locator: ReturnType<Page['locator']>) => {
    const bounds = await locator.boundingBox()
    if (!bounds) throw new Error('not on the page')
    return bounds
  }

  it('stands beside the text, keeps its selection, and is reached by keyboard', {
    tags: ['deep'],
  }, async () => {
    await page.locator('[data-canvas]').getByText('Book', { exact: true }).dblclick()
    await isFocused()
    const toolbar = page.getByRole('toolbar', { name: 'Text tools' })
    const [bar, words] = [await box(toolbar), await box(text())]
    expect(bar.y + bar.height <= words.y || bar.y >= words.y + words.height).toBe(true)
    expect([bar.x >= 0, bar.x + bar.width <= 1280, bar.y >= 0]).toEqual([true, true, true])
    await press('End')
    await page.keyboard.type(' now')
    await press('Shift+Control+ArrowLeft', 'Alt+F10', 'ArrowRight', 'Enter', 'Escape')
    await isFocused()
    await expect
      .poll(() => tokensOf('Booking'))
      .toMatchObject([{ value: 'Book ' }, { value: 'now', textStyle: { fontStyle: 'italic' } }])
    await press('Control+End')
    await page.keyboard.type('!')
    await press('Tab')
    await text().waitFor({ state: 'detached' })
    // The next control after the canvas: the check below it, or the properties.
    const next = 'aside[aria-label=Properties], section[aria-label=Check]'
    expect(await page.evaluate(parts => document.activeElement?.closest(parts) !== null, next)).toBe(true)
    await expect.poll(() => valuesOf('Booking')).toEqual(['Book ', 'now!'])
  })

  it('makes links, and a press elsewhere ends the editing', async () => {
    await edit('Typed')
    await press('Control+a')
    await page.getByRole('button', { name: 'Link', exact: true }).click()
    const address = page.getByRole('dialog', { name: 'Link' }).getByRole('textbox')
    await address.fill('northbean')
    await page.getByText('Enter a web, mail or phone address.').waitFor()
    await address.fill('northbean.example')
    await expect.poll(() => tokensOf('Typed')).toMatchObject([{ href: { text: 'northbean.example' } }])
    await press('Escape')
    await isFocused()
    await page.mouse.click(640, 780)
    await text().waitFor({ state: 'detached' })
    expect(pageFaults).toEqual([])
  })
})
