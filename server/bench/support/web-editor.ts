// What the benchmark does in the editor: opens a signature with many blocks, types, drags.
import type { Browser, Page } from 'playwright-core'
import { MainThread, nextFrames } from './web-pages.ts'

export interface EditorVisitor {
  readonly browser: Browser
  readonly url: string
  readonly cookie: string
}

const text = (value: string) => ({ type: 'text', tokens: [{ value }] })

/** A signature with this number of blocks: lines of text, and rows of two columns. Returns its id. */
export async function createBlocks(url: string, key: string, count: number): Promise<string> {
  const children: object[] = []
  for (let made = 1; made < count; )
    if (made % 10 === 1 && count - made >= 7) {
      const column = (side: string) => ({
        type: 'stack',
        children: [text(`${side} ${made}`), text(`below ${made}`)],
      })
      children.push({ type: 'stack', direction: 'row', children: [column('left'), column('right')] })
      made += 7
    } else children.push(text(`Line ${made++}`))
  const answer = await fetch(`${url}/v1/signatures`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `Blocks ${count}`, draft_content: { type: 'stack', children } }),
  })
  const { data } = (await answer.json()) as { data: { readonly id: string } }
  return data.id
}

/**
 * The time of the first frame with something on the canvas, from the start of the navigation. A promise, because the
 * policy of the page refuses the code with which Playwright waits for an expression.
 */
const watchCanvas = `
  globalThis.canvasTime = new Promise(done => {
    const watch = () => {
      const host = document.querySelector('[data-canvas] > div')
      if (host?.shadowRoot?.childElementCount) done(performance.now())
      else requestAnimationFrame(watch)
    }
    watch()
  })`

const watched = new WeakSet<Page>()

export async function openEditor(page: Page, url: string, id: string): Promise<void> {
  if (!watched.has(page)) await page.addInitScript(watchCanvas)
  watched.add(page)
  await page.goto(`${url}/signatures/${id}/edit`)
  await canvasTimeOf(page)
  await page.waitForLoadState('networkidle')
}

export const canvasTimeOf = (page: Page): Promise<number> => page.evaluate<number>('canvasTime')

/** From the event of the next key until the frame that follows it is painted. */
const watchKey = `globalThis.painted = new Promise(done => addEventListener('keydown', () => {
  const began = performance.now()
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => done(performance.now() - began)
    port2.postMessage(0)
  })
}, { once: true, capture: true }))
0`

export interface TypedLetters {
  readonly milliseconds: readonly number[]
  /** Processor time of the main thread for a letter. */
  readonly work: number
}

const letters = 20

export async function typeLetters(page: Page): Promise<TypedLetters> {
  await page.getByRole('treeitem', { name: /^Line/ }).first().click()
  await page.locator('[data-canvas]').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Edit text' }).waitFor()
  await nextFrames(page)
  const thread = await MainThread.of(page)
  const before = await thread.milliseconds()
  const milliseconds: number[] = []
  for (let n = 0; n < letters; n++) {
    await page.evaluate(watchKey)
    await page.keyboard.press('x')
    milliseconds.push(await page.evaluate<number>('painted'))
    await nextFrames(page)
  }
  const work = ((await thread.milliseconds()) - before) / letters
  await page.keyboard.press('Escape')
  await page.waitForLoadState('networkidle')
  return { milliseconds, work }
}

/** Processor time for a movement of the pointer, while a block is dragged over the canvas. */
export async function dragOnCanvas(page: Page): Promise<number> {
  const moves = 30
  const row = await page.getByRole('treeitem', { name: /^Line/ }).first().boundingBox()
  if (!row) throw new Error('the outline has no rows')
  const thread = await MainThread.of(page)
  const before = await thread.milliseconds()
  await page.mouse.move(row.x + 60, row.y + 10)
  await page.mouse.down()
  for (let n = 0; n < moves; n++) await page.mouse.move(520 + n, 150 + n * 12)
  const work = ((await thread.milliseconds()) - before) / moves
  await page.keyboard.press('Escape')
  await page.mouse.up()
  return work
}
