// How long the page needs to react: the time from an input to the next frame, as the browser reports it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { MainThread, nextFrames } from './web-pages.ts'

interface Interaction {
  readonly name: string
  readonly act: (page: Page) => Promise<unknown>
  /** Back to the page as it was; not measured. */
  readonly undo?: (page: Page) => Promise<unknown>
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
/** Twice: the first one empties a search field. */
const leave = async (page: Page) => {
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
}
const searchField = (page: Page) =>
  page.getByRole('searchbox', { name: 'Search names, addresses and values' })

/** On the page of people. */
export const interactions: readonly Interaction[] = [
  { name: 'nothing: a click on the heading', act: page => page.locator('h1').click() },
  {
    name: 'open the search',
    act: async page => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'type in the search', act: page => page.keyboard.type('mar', { delay: 40 }), undo: leave },
  {
    name: 'open a menu',
    act: async page => {
      await button(page, /^Your account/).click()
      await page.getByRole('menuitem', { name: 'Dark' }).waitFor()
    },
  },
  { name: 'switch to dark', act: page => page.getByRole('menuitem', { name: 'Dark' }).click() },
  {
    name: 'switch to light',
    act: async page => {
      await button(page, /^Your account/).click()
      await page.getByRole('menuitem', { name: 'Light' }).click()
    },
  },
  {
    name: 'sort',
    act: page => page.getByRole('columnheader', { name: 'Person' }).getByRole('button').click(),
  },
  { name: 'type in the filter', act: page => searchField(page).pressSequentially('mar', { delay: 40 }) },
  {
    name: 'open the filters',
    act: async page => {
      await button(page, /^Filter/).click()
      await page.getByRole('dialog').waitFor()
    },
    undo: async page => {
      await leave(page)
      await searchField(page).fill('')
      await page.waitForLoadState('networkidle')
    },
  },
  {
    name: 'select a row',
    act: page => page.getByRole('row').nth(1).locator('label').click(),
    undo: page => page.getByRole('row').nth(1).locator('label').click(),
  },
  {
    name: 'open a dialog',
    act: async page => {
      await button(page, 'Add a person').click()
      await page.getByRole('dialog').waitFor()
    },
    undo: leave,
  },
]

/** Duration of the shortest events that the browser reports. */
const shortest = 16

export interface Reaction {
  /** From the input to the next frame: the longest event of the interaction. */
  readonly milliseconds: number
  /** Processor time of the page's main thread for all of it. */
  readonly work: number
}

/** In the order of `interactions`. */
export async function measureInteractions(page: Page): Promise<readonly Reaction[]> {
  const thread = await MainThread.of(page)
  const reactions: Reaction[] = []
  for (const { act, undo } of interactions) {
    await page.evaluate('seen.events = []')
    const before = await thread.milliseconds()
    await act(page)
    await nextFrames(page)
    await sleep(150) // the browser reports events some time after their frame
    const longest = await page.evaluate<number>('Math.max(0, ...seen.events)')
    const work = (await thread.milliseconds()) - before
    reactions.push({ milliseconds: Math.max(shortest, longest), work })
    await undo?.(page)
    await sleep(50)
  }
  return reactions
}
