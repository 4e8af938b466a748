// A real browser, started in the same way as by the service.
import { link, mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Browser } from 'playwright-core'
import { inject } from 'vitest'
import { type RunningBrowser, runsBrowserFromNpm, startBrowser } from '#platform/screenshots/index.ts'
import { unpackBrowser } from '#platform/screenshots/unpack.ts'
import { afterFile } from '../after-file.ts'

/** The folder in which the browser is unpacked once for all tests. */
export const browserFolder = (): string => join(inject('folder'), 'browser')

/** Links the browser's files to the folder where a service would unpack them. An installed browser needs no link. */
export async function linkBrowser(dataDir: string): Promise<void> {
  if (!runsBrowserFromNpm) return
  const { program } = await unpackBrowser(browserFolder())
  const entries = await readdir(dirname(program), { recursive: true, withFileTypes: true })
  for (const entry of entries.filter(entry => entry.isFile())) {
    const file = join(entry.parentPath, entry.name)
    const copy = join(dataDir, 'cache', relative(browserFolder(), file))
    await mkdir(dirname(copy), { recursive: true })
    await link(file, copy)
  }
}

let shared: RunningBrowser | undefined

/** Pages live for seconds: to optimize their code takes more CPU time than the optimized code saves. */
const withoutOptimizing = '--js-flags=--no-maglev --no-turbofan'

/** One browser for all test files of a worker: a start takes 0.7 s of CPU time. It ends with the worker. */
export async function openBrowser(): Promise<Browser> {
  await mkdir(browserFolder(), { recursive: true })
  if (!shared?.browser.isConnected())
    shared = await startBrowser({ chromium: null, folder: browserFolder(), args: [withoutOptimizing] })
  const { browser } = shared
  afterFile(() => Promise.all(browser.contexts().map(context => context.close())))
  return browser
}
