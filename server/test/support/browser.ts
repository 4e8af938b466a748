// A real browser, started as the service starts its own.
import { link, mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, inject } from 'vitest'
import { endBrowser, startBrowser } from '#platform/screenshots/index.ts'
import { unpackBrowser } from '#platform/screenshots/unpack.ts'

/** Unpacked once for all tests. */
export const browserFolder = (): string => join(inject('folder'), 'browser')

/** Links to its files, where a service would unpack them. */
export async function lendBrowser(dataDir: string): Promise<void> {
  const { program } = await unpackBrowser(browserFolder())
  const entries = await readdir(dirname(program), { recursive: true, withFileTypes: true })
  for (const entry of entries.filter(one => one.isFile())) {
    const file = join(entry.parentPath, entry.name)
    const copy = join(dataDir, 'cache', relative(browserFolder(), file))
    await mkdir(dirname(copy), { recursive: true })
    await link(file, copy)
  }
}

export async function openBrowser(): Promise<Browser> {
  const running = await startBrowser({ chromium: null, folder: browserFolder() })
  afterAll(() => endBrowser(running))
  return running.browser
}
