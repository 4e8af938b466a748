// Starts a browser, and ends it reliably.
import { access, constants } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { writeFontConfiguration } from './fonts.ts'
import { findInstalledBrowser, runsBrowserFromNpm } from './installed.ts'
import { unpackBrowser } from './unpack.ts'

export interface BrowserOptions {
  /** The path of the program; null for the one from npm or, where that cannot run, an installed one. */
  readonly chromium: string | null
  /** The folder to unpack the browser from npm into. */
  readonly folder: string
  readonly args?: readonly string[]
}

export interface RunningBrowser {
  readonly browser: Browser
  readonly pid: number
}

/** For the launch, and again for the first answer. */
const startMilliseconds = 15_000

export async function startBrowser({ chromium, folder, args = [] }: BrowserOptions): Promise<RunningBrowser> {
  // Loaded with the first picture, because it takes 75 MB of memory.
  const { chromium: playwright } = await import('playwright-core')
  const unpacked = chromium === null && runsBrowserFromNpm ? await unpackBrowser(folder) : null
  const program = chromium ?? unpacked?.program ?? (await findInstalledBrowser())
  if (program === null)
    throw new Error(
      'the browser from npm runs on Linux and x64 only, and no other is installed: set SIGNOFF_CHROMIUM',
    )
  await access(program, constants.X_OK) // without this check, Playwright leaves a temporary folder for each failure
  const browser = await playwright.launch({
    executablePath: program,
    headless: true,
    timeout: startMilliseconds,
    // No sandbox: it needs permissions that containers seldom have. The page runs no script and reaches no network.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none', ...args],
    // Not the environment of this process, which contains secrets.
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: folder,
      TMPDIR: tmpdir(),
      FONTCONFIG_FILE: await writeFontConfiguration(folder, ...(unpacked ? [unpacked.fonts] : [])),
      ...(unpacked && { LD_LIBRARY_PATH: unpacked.libraries }),
    },
    // Otherwise Playwright would handle the signals itself and end this process.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  try {
    return { browser, pid: await promptProcessOf(browser) }
  } catch (error) {
    // Not awaited: a browser that does not answer does not close either.
    browser.close().catch(() => undefined)
    throw error
  }
}

/** Every picture waits for the start, so a browser that does not answer must not hold it. */
async function promptProcessOf(browser: Browser): Promise<number> {
  const answer = processOf(browser)
  answer.catch(() => undefined)
  const pid = await Promise.race([answer, sleep(startMilliseconds, undefined, { ref: false })])
  if (pid === undefined) throw new Error('the browser does not answer')
  return pid
}

async function processOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const pid = processInfo.find(({ type }) => type === 'browser')?.id
  // Never 0: `kill` with 0 would end this process and its whole process group.
  if (!pid) throw new Error('the browser does not report its process id')
  return pid
}

/** Closes the browser. If it still runs after half a second, it is killed with all its child processes. */
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
    // the process has already ended
  }
}
