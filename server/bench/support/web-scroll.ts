// Frames of a table while it is scrolled by the wheel.
import type { Page } from 'playwright-core'
import { MainThread, showPage } from './web-pages.ts'

const steps = 200
const pixelsPerStep = 200

export interface ScrolledFrames {
  /** The time from each frame in which the table moved to the next frame, in ms. */
  readonly frames: readonly number[]
  /** Processor time of the page's main thread per such frame, in ms. */
  readonly work: number
}

async function framesWhileScrolling(page: Page, selector: string): Promise<ScrolledFrames> {
  await page.locator(selector).hover()
  await page.evaluate(`{
    globalThis.frames = []
    let previous, hasMoved = false, wasMoved = false
    document.querySelector('${selector}').addEventListener('scroll', () => { hasMoved = true })
    requestAnimationFrame(function record(now) {
      if (wasMoved) frames.push(now - previous)
      previous = now
      wasMoved = hasMoved
      hasMoved = false
      requestAnimationFrame(record)
    })
  }`)
  const thread = await MainThread.of(page)
  const before = await thread.milliseconds()
  for (let step = 0; step < steps; step++) {
    await page.mouse.wheel(0, pixelsPerStep)
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
  const frames = await page.evaluate<number[]>('frames')
  return { frames, work: ((await thread.milliseconds()) - before) / frames.length }
}

/** The people's table over the API. It must have moved, and show rows of people at the end. */
export async function scrollPeople(page: Page, url: string): Promise<ScrolledFrames> {
  await showPage(page, `${url}/people`)
  const scrolled = await framesWhileScrolling(page, '[role=grid]')
  const top = await page.evaluate<number>("document.querySelector('[role=grid]').scrollTop")
  if (top < (steps * pixelsPerStep) / 2) throw new Error(`the table was scrolled to ${top} only`)
  await page.waitForLoadState('networkidle')
  await page
    .getByText(/@example\.com/)
    .first()
    .waitFor()
  return scrolled
}

/** As many rows of plain text, for comparison. */
export async function scrollPlainPage(page: Page): Promise<ScrolledFrames> {
  const rows = Array.from({ length: 1_000 }, (_, n) => `<p style="height:56px;margin:0">Row ${n}</p>`).join(
    '',
  )
  await page.setContent(`<div id="list" style="height:600px;overflow:auto">${rows}</div>`)
  return framesWhileScrolling(page, '#list')
}
