// The canvas of the editor: by keyboard alone, by mouse and by finger.
import type { CDPSession, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DashboardApp, dashboardApp, visit } from '../support/browser/dashboard.ts'
import { checkPage, overlays, pageFaults } from '../support/browser/sign-in-browser.ts'

let dashboard: DashboardApp
let page: Page
let id: string

const text = (value: string) => ({ type: 'text', tokens: [{ value }] })
const draftContent = {
  type: 'stack',
  direction: 'column',
  blockStyle: { gap: 6 },
  children: [
    text('Alpha'),
    text('Beta'),
    { type: 'text', tokens: [{ value: 'Gamma', href: { text: 'https://example.com' } }] },
    {
      type: 'stack',
      displayName: 'Pair',
      direction: 'row',
      blockStyle: { gap: 8 },
      children: [text('Left'), text('Right')],
    },
    { type: 'qrCode', content: 'href', href: { text: 'https://example.com' }, size: 90 },
  ],
}

beforeAll(async () => {
  dashboard = await dashboardApp()
  page = await dashboard.signIn()
  await page.setViewportSize({ width: 1280, height: 900 })
  const { body } = await dashboard.app.post('/v1/signatures', { name: 'Canvas', draft_content: draftContent })
  id = body.data.id
  await open(page)
})

afterAll(() => expect(pageFaults).toEqual([]))

interface StoredBlock {
  readonly type: string
  readonly direction?: string
  readonly displayName?: string
  readonly size?: number
  readonly visible?: boolean
  readonly blockStyle?: Readonly<Record<string, number>>
  readonly tokens?: readonly { readonly value?: string }[]
  readonly children?: readonly StoredBlock[]
}
const draft = async (): Promise<StoredBlock> =>
  (await dashboard.app.get(`/v1/signatures/${id}`)).body.data.draft_content
/** `column(Alpha, row(Left, Right))` */
const shapeOf = ({ type, direction, children, tokens }: StoredBlock): string => {
  if (type === 'stack') return `${direction ?? 'column'}(${(children ?? []).map(shapeOf).join(', ')})`
  return tokens ? tokens.map(({ value = '' }) => value).join('') : type
}
const expectShape = (shape: string) => expect.poll(async () => shapeOf(await draft())).toBe(shape)

const open = async (tab: Page) => {
  await visit(tab, `${dashboard.url}/signatures/${id}/edit`)
  await tab.locator('[data-canvas]').waitFor()
}
/** The names in the outline; `>` stands for a level. */
const rows = () =>
  page.evaluate<string>(`[...document.querySelectorAll('[role=treeitem]')]
    .map(row => '> '.repeat(row.ariaLevel - 1) + row.ariaLabel).join(', ')`)
const expectRows = (names: string) => expect.poll(rows).toBe(names)
const row = (name: string, tab: Page = page): Locator =>
  tab.getByRole('treeitem', { name, exact: true }).first()
const says = (words: string) => page.getByRole('status').getByText(words).waitFor({ state: 'attached' })
const press = async (...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const slider = (name: string, tab: Page = page) => tab.getByRole('slider', { name })
/** The middle of a block that is drawn on the canvas. */
const drawn = async (words: string, tab: Page = page) => {
  const box = await tab.locator('[data-canvas]').getByText(words, { exact: true }).boundingBox()
  if (!box) throw new Error(`${words} is not drawn`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, ...{ box } }
}

describe('the canvas by keyboard alone', () => {
  it('selects, inserts, types, moves, groups, names, hides, copies, pastes and removes blocks', async () => {
    await press('F6')
    await expect.poll(() => page.evaluate('document.activeElement.hasAttribute("data-canvas")')).toBe(true)
    await press('ArrowDown', 'ArrowDown')
    await says('Beta, Text, 2 of 5 in Column')
    await press('Control+Enter')
    await page.getByRole('combobox', { name: 'Search blocks' }).waitFor()
    await page.keyboard.type('tex')
    await press('Enter')
    await says('Text added')
    await page.getByRole('textbox', { name: 'Edit text' }).waitFor()
    await page.keyboard.type('New')
    await press('Escape')
    await expectRows('Alpha, Beta, New, Gamma, Pair, > Left, > Right, QR code')
    await press('Alt+ArrowUp')
    await says('New is now number 2 in Column')
    await press('Shift+ArrowDown', 'Control+g')
    await says('2 blocks grouped')
    await expectRows('Alpha, Group, > New, > Beta, Gamma, Pair, > Left, > Right, QR code')
    await press('F2')
    await page.getByRole('textbox', { name: 'Name of Group' }).fill('Both')
    await press('Enter', 'Alt+Shift+R')
    await expectRows('Alpha, Row, > Both, > > New, > > Beta, Gamma, Pair, > Left, > Right, QR code')
    await press('Control+Shift+G', 'Control+Shift+G')
    await expectRows('Alpha, New, Beta, Gamma, Pair, > Left, > Right, QR code')
    await press('Control+c', 'Control+v')
    await expectRows('Alpha, New, Beta, New, Beta, Gamma, Pair, > Left, > Right, QR code')
    await press('Control+Shift+H')
    await says('Hidden now: 2 blocks')
    await press('Delete')
    await expectShape('column(Alpha, New, Beta, Gamma, row(Left, Right), qrCode)')
  })

  it('undoes all of it and redoes it', async () => {
    const all = async (name: string, key: string) => {
      while (await page.getByRole('button', { name, exact: true }).isEnabled()) await press(key)
    }
    await all('Undo', 'Control+z')
    await expectRows('Alpha, Beta, Gamma, Pair, > Left, > Right, QR code')
    await all('Redo', 'Control+Shift+Z')
    await expectRows('Alpha, New, Beta, Gamma, Pair, > Left, > Right, QR code')
    await all('Undo', 'Control+z')
    await expectShape('column(Alpha, Beta, Gamma, row(Left, Right), qrCode)')
  })

  it('goes to the properties and back, and opens menus and the list of keys without findings of axe', async () => {
    await page.locator('[data-canvas]').focus()
    await press('Home', 'Control+c', 'Shift+F10')
    await page.getByRole('menuitem', { name: 'Paste' }).click()
    await says('Pasted')
    await expectRows('Alpha, Alpha, Beta, Gamma, Pair, > Left, > Right, QR code')
    await page.getByRole('button', { name: 'Undo' }).focus()
    await press('Delete', 'Backspace', 'Control+x')
    await page.locator('[data-canvas]').focus()
    await press('Control+z', 'Home', 'F6')
    const pane = () => page.evaluate('document.activeElement.closest("[data-pane]").dataset.pane')
    await expect.poll(pane).toBe('properties')
    await press('Shift+F6', 'Shift+F10')
    await page.getByRole('menuitem', { name: 'Insert below' }).waitFor()
    await checkPage(page, overlays)
    await press('Escape', 'Control+Enter')
    await page.getByRole('combobox', { name: 'Search blocks' }).waitFor()
    await checkPage(page, overlays)
    await press('Escape', '?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await checkPage(page, overlays)
    await press('Control+x', 'Control+v', 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expectRows('Alpha, Beta, Gamma, Pair, > Left, > Right, QR code')
  })

  it('keeps the keys after a click on a link, beside the canvas or on a new text, and without the sidebar', async () => {
    await page.locator('[data-canvas]').getByText('Gamma', { exact: true }).click()
    await press('Delete')
    await expectRows('Alpha, Beta, Pair, > Left, > Right, QR code')
    await press('Control+z')
    await page.locator('[data-canvas-pane]').click({ position: { x: 8, y: 8 } })
    expect(await page.locator('[data-selected-block]').count()).toBe(0)
    await press('Delete', 'Home', 'Control+d')
    await expectRows('Alpha, Alpha, Beta, Gamma, Pair, > Left, > Right, QR code')
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await page.getByRole('textbox', { name: 'Edit text' }).waitFor()
    await page.keyboard.type('Two words')
    await press('Escape')
    await expectRows('Alpha, Alpha, Two words, Beta, Gamma, Pair, > Left, > Right, QR code')
    await press('Delete', 'Delete')
    await expectRows('Alpha, Beta, Gamma, Pair, > Left, > Right, QR code')
    await page.locator('[data-pane=header] a').focus()
    await press('Shift+Tab')
    expect(await page.evaluate('document.activeElement.closest("aside:not([data-pane]), nav")')).toBe(null)
  })
})

describe('the canvas by mouse', () => {
  it('inserts a block between two others by the +, and drags a picture below a block', async () => {
    await page.locator('[data-canvas]').focus()
    await press('Escape')
    const [alpha, beta] = [await drawn('Alpha'), await drawn('Beta')]
    await page.mouse.move(alpha.x, (alpha.box.y + alpha.box.height + beta.box.y) / 2, { steps: 3 })
    await page.getByRole('button', { name: 'Insert here' }).click()
    await page.getByRole('option', { name: 'Divider' }).click()
    await expectRows('Alpha, Divider, Beta, Gamma, Pair, > Left, > Right, QR code')
    await press('Control+z')
    const picture = await page.locator('[data-canvas] img').boundingBox()
    if (!picture) throw new Error('the QR code is not drawn')
    const { x, y, box } = await drawn('Beta')
    await page.mouse.move(picture.x + 45, picture.y + 45)
    await page.mouse.down()
    await page.mouse.move(x, y, { steps: 5 })
    await page.mouse.move(x, box.y + box.height - 2, { steps: 2 })
    await page.mouse.up()
    await expectRows('Alpha, Beta, QR code, Gamma, Pair, > Left, > Right')
    await press('Control+z')
    await expectRows('Alpha, Beta, Gamma, Pair, > Left, > Right, QR code')
  })

  it('changes space and size by their handles, each drag as one step of undo', async () => {
    await row('Alpha').click()
    const handle = await slider('Inside, top').boundingBox()
    if (!handle) throw new Error('there is no handle')
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2)
    await page.mouse.down()
    await page.mouse.move(handle.x, handle.y + 10, { steps: 4 })
    await page.mouse.move(handle.x, handle.y + handle.height / 2 + 24, { steps: 4 })
    await page.mouse.up()
    const pixelsOf = (name: string) => slider(name).getAttribute('aria-valuetext')
    await expect.poll(() => pixelsOf('Inside, top')).toBe('24 px')
    await slider('Inside, top').focus()
    await press('Shift+ArrowUp')
    await expect.poll(() => pixelsOf('Inside, top')).toBe('34 px')
    await press('Escape', 'Control+z')
    await expect.poll(() => pixelsOf('Inside, top')).toBe('24 px')
    await press('Control+z')
    await expect.poll(() => pixelsOf('Inside, top')).toBe('0 px')
    await row('Beta').click()
    await row('Gamma').click({ modifiers: ['Control'] })
    await page.getByText('2 blocks selected').waitFor()
    await row('Beta').click({ modifiers: ['Control'] })
    await expect.poll(() => page.locator('[role=treeitem][aria-selected=true]').count()).toBe(1)
    await row('Pair').click()
    await slider('Gap').focus()
    await press('ArrowRight')
    await row('QR code').click()
    await slider('Size').focus()
    await press('PageUp')
    await expect.poll(async () => (await draft()).children?.[4]?.size).toBe(100)
    expect((await draft()).children?.[3]?.blockStyle).toEqual({ gap: 9 })
    expect((await draft()).children?.[0]?.blockStyle).toBeUndefined()
    await checkPage(page)
  })
})

describe('the canvas by finger', { tags: ['deep'] }, () => {
  let phone: Page
  let fingers: CDPSession
  const touch = (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    at?: { readonly x: number; readonly y: number },
  ) => fingers.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [{ x: at.x, y: at.y }] : [] })

  beforeAll(async () => {
    await page.getByText('Saved', { exact: true }).waitFor()
    phone = await dashboard.signIn(
      {},
      { hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } },
    )
    fingers = await phone.context().newCDPSession(phone)
    await open(phone)
  })

  it('scrolls with a short touch, drags after a long one, and opens the menu of a block', {
    tags: ['deep'],
  }, async () => {
    const alpha = await drawn('Alpha', phone)
    // At once: on a busy machine, waiting for each answer makes it a long touch.
    await Promise.all([
      touch('touchStart', alpha),
      touch('touchMove', { x: alpha.x, y: alpha.y - 60 }),
      touch('touchEnd'),
    ])
    expect(await phone.locator('[data-selected-block]').count()).toBe(0)
    // Until the scrolling has come to rest.
    await phone.locator('[data-canvas]').getByText('Alpha', { exact: true }).hover({ trial: true })
    const [start, gamma] = [await drawn('Alpha', phone), await drawn('Gamma', phone)]
    await touch('touchStart', start)
    await phone.locator('[data-drag-label]').waitFor()
    for (const part of [0.5, 1])
      await touch('touchMove', { x: start.x + 30, y: start.y + (gamma.y + 8 - start.y) * part })
    await touch('touchEnd')
    await expectShape('column(Beta, Gamma, Alpha, row(Left, Right), qrCode)')
    await touch('touchStart', await drawn('Beta', phone))
    await phone.locator('[data-drag-label]').waitFor()
    await touch('touchEnd')
    await phone.getByRole('menuitem', { name: 'Duplicate' }).tap()
    await expectShape('column(Beta, Beta, Gamma, Alpha, row(Left, Right), qrCode)')
  })

  it('reaches blocks, outline and properties as sheets, and drags a new block out of its sheet', async () => {
    await phone.getByRole('button', { name: 'Properties' }).tap()
    await phone.getByRole('button', { name: 'Edit text' }).waitFor()
    await phone.getByRole('button', { name: 'Blocks', exact: true }).tap()
    await row('Gamma', phone).tap()
    await phone.getByRole('button', { name: 'Insert below Gamma' }).waitFor()
    await phone.getByRole('button', { name: 'Add', exact: true }).tap()
    const divider = await phone.getByRole('button', { name: 'Divider' }).boundingBox()
    const target = await drawn('Gamma', phone)
    if (!divider) throw new Error('the sheet is not open')
    await touch('touchStart', { x: divider.x + 20, y: divider.y + 15 })
    await phone.locator('[data-drag-label]').waitFor()
    for (const part of [0.5, 0.9, 1])
      await touch('touchMove', { x: target.x, y: divider.y + (target.y + 8 - divider.y) * part })
    await touch('touchEnd')
    await expectShape('column(Beta, Beta, Gamma, divider, Alpha, row(Left, Right), qrCode)')
  })
})
