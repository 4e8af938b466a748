// A person who uses the dashboard by keyboard alone.
import type { Locator, Page } from 'playwright-core'

/** Presses Tab until the control has the focus: what the keyboard cannot reach, this does not reach. */
export async function tabTo(page: Page, control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await control.first().waitFor()
  // Found once and not after each press: to find a control by its role and name takes 15 ms of CPU time.
  let element = await control.first().elementHandle()
  for (let presses = 0; presses < 80; presses += 1) {
    const state = await element?.evaluate(({ isConnected, ownerDocument }, target) => {
      if (!isConnected) return 'replaced'
      return ownerDocument.activeElement === target ? 'focused' : 'elsewhere'
    }, element)
    if (state === 'focused') return
    if (state === 'replaced') element = await control.first().elementHandle()
    else await page.keyboard.press(key)
  }
  throw new Error(`The keyboard does not reach ${control}`)
}
