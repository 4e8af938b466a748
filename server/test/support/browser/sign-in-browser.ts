// A browser that visits the sign-in pages: every page is checked for accessibility and for violations of its policy.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { roundRobin } from '../runs.ts'
import { findUnreadable } from './contrast.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Script errors, and messages of the browser about blocked content, of all pages. */
export const pageFaults: string[] = []

/** The console reports answers with an error status and lost connections, which tests cause on purpose. */
const isExpected = (text: string): boolean =>
  /^Failed to load resource: (the server responded|net::ERR_CONNECTION_REFUSED)/.test(text)

export async function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(60_000)
  context.on('weberror', error => void pageFaults.push(error.error().message))
  context.on('console', message => {
    if (message.type() === 'error' && !isExpected(message.text())) pageFaults.push(message.text())
  })
  return context
}

/**
 * Without the contrast of colours, which has a check of its own. Details are collected for violations alone; axe would
 * write HTML and selectors of every element that it looks at. Frames have no axe in them: the run would wait half a
 * second for their answer.
 */
const rules = `{ resultTypes: ['violations'], preload: false, iframes: false, selectors: false, elementRef: true,
  rules: { 'color-contrast': { enabled: false } } }`

export const colorSchemes = ['light', 'dark'] as const
type ColorScheme = (typeof colorSchemes)[number]
/**
 * Each page has the colours of its turn: few combinations are on one page alone. The browser draws a page again for
 * other colours, so several checks have the same.
 */
const nextTurns = roundRobin(
  colorSchemes.flatMap(scheme => Array.from({ length: 5 }, () => scheme)),
  1,
)
const nextSchemes = (): readonly ColorScheme[] => [...new Set(nextTurns())]

/** Returns when the colours are painted. */
async function paint(page: Page, colorScheme: ColorScheme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** The findings of axe, of the whole page or of the part that the selector names. Only colours differ in the dark. */
export async function checkAccess(
  page: Page,
  selector?: string,
  schemes: readonly ColorScheme[] = nextSchemes(),
): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in window`)))
    await page.evaluate(`${axe};axe.configure({ noHtml: true });0`)
  const findings = await page.evaluate<string[]>(
    `axe.run(${selector === undefined ? 'document' : JSON.stringify(selector)}, ${rules}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ element }) => element.outerHTML.slice(0, 300)).join(' ')))`,
  )
  expect(findings, page.url()).toEqual([])
  // The current colours first, because the browser draws the whole page again for others.
  const isDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`)
  let current: ColorScheme = isDark ? 'dark' : 'light'
  for (const colorScheme of isDark ? schemes.toReversed() : schemes) {
    if (colorScheme !== current) await paint(page, colorScheme)
    current = colorScheme
    expect(await findUnreadable(page, selector), `${page.url()} ${colorScheme}`).toEqual([])
  }
}

/** The window of a small phone. */
export const phone = { width: 320, height: 640 }

/** Checks that nothing is wider than the window, which is as wide as a phone. */
export async function checkWidth(page: Page): Promise<void> {
  // Charts follow the width of the window a moment later.
  const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
  await expect.poll(width, { message: page.url() }).toBeLessThanOrEqual(phone.width)
}

/**
 * Elements that lie above a page. The page itself is checked where nothing is open, which takes three times as long.
 */
export const dialogs = '[role=dialog], [role=alertdialog]'
export const overlays = `${dialogs}, [role=menu], [role=listbox]`

/** A page that leads on to another one has no heading for a moment. */
export const waitForHeading = (page: Page): Promise<void> => page.locator('h1').first().waitFor()

/** The findings of axe, in the whole page or in the part that the selector names, and what is wider than a phone. */
export async function checkPage(page: Page, selector?: string): Promise<void> {
  const before = page.viewportSize()
  await waitForHeading(page)
  await checkAccess(page, selector)
  const isNarrow = before?.width === phone.width
  if (!isNarrow) await page.setViewportSize(phone)
  await checkWidth(page)
  if (before && !isNarrow) await page.setViewportSize(before)
}

/** Fills in the fields by their labels, and presses the button. */
export async function submitForm(
  page: Page,
  fields: Readonly<Record<string, string>>,
  button: string,
): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: button, exact: true }).click()
}

export const titleOf = (page: Page): Promise<string> => page.locator('h1').innerText()

/** A device that makes passkeys, and answers without a person until `answers(false)`. */
export async function addDevice(target: Page) {
  const devices = await target.context().newCDPSession(target)
  await devices.send('WebAuthn.enable')
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    answers: (enabled: boolean) =>
      devices.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    remove: () => devices.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}
