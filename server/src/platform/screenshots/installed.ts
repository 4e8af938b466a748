// Finds a browser that is installed on the machine. The browser from npm exists for Linux on x64 only.
import { access, constants } from 'node:fs/promises'

export const runsBrowserFromNpm = process.platform === 'linux' && process.arch === 'x64'

/**
 * A browser without windows is smaller and starts faster. The programs themselves come before the scripts that start
 * them with settings of the desktop.
 */
const usualPlaces = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/lib/chromium/chromium',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/opt/google/chrome/chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export async function findInstalledBrowser(): Promise<string | null> {
  for (const program of usualPlaces) {
    const isExecutable = access(program, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (await isExecutable) return program
  }
  return null
}
