// Starts a browser, and ends one for certain.
import { access, constants } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { writeFontConfiguration } from './fonts.ts'
import { unpackBrowser } from './unpack.ts'

export interface BrowserOptions {
  /** The program; null takes the one from npm. */
  readonly chromium: string | null
  /** Where to unpack it. */
  readonly folder: string
  readonly args?: readonly string[]
}

export interface RunningBrowser {
  readonly browser: Browser
  readonly pid: number
}

export async function startBrowser({ chromium, folder, args = [] }: BrowserOptions): Promise<RunningBrowser> {
  // Loaded with the first picture: 75 MB of memory.
  const { chromium: playwright } = await import('playwright-core')
  const unpacked = chromium === null ? await unpackBrowser(folder) : null
  const program = chromium ?? unpacked?.program ?? ''
  await access(program, constants.X_OK) // Playwright would leave a folder behind for each failure
  const browser = await playwright.launch({
    executablePath: program,
    headless: true,
    timeout: 15_000,
    // No sandbox: it wants rights that containers seldom give. What is shown runs no script and reaches no network.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none', ...args],
    // Nothing of our own environment, which holds secrets.
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: folder,
      TMPDIR: tmpdir(),
      FONTCONFIG_FILE: await writeFontConfiguration(folder, ...(unpacked ? [unpacked.fonts] : [])),
      ...(unpacked && { LD_LIBRARY_PATH: unpacked.libraries }),
    },
    // Playwright would end our process with the browser's.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  try {
    return { browser, pid: await processOf(browser) }
  } catch (error) {
    await browser.close()
    throw error
  }
}

async function processOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const found = processInfo.find(({ type }) => type === 'browser')?.id
  // Never 0, which to `kill` means ourselves and all our kin.
  if (!found) throw new Error('the browser does not tell its process')
  return found
}

/** By asking; whoever has not gone after half a second is killed, with all its children. */
export async function endBrowser({ browser, pid }: RunningBrowser): Promise<void> {
  const closed = browser.close().then(
    () => true,
    () => true,
  )
  if (await Promise.race([closed, sleep(500, false)])) return
  kill(-pid)
  kill(pid)
  await Promise.race([closed, sleep(500)])
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // gone
  }
}
