// A real browser, started as the service starts its own.
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, inject } from 'vitest'
import { endBrowser, startBrowser } from '../../src/previews/index.ts'

/** Unpacked once for all tests. */
export const browserFolder = (): string => join(inject('folder'), 'browser')

export async function openBrowser(): Promise<Browser> {
  const running = await startBrowser({ chromium: null, folder: browserFolder() })
  afterAll(() => endBrowser(running))
  return running.browser
}
