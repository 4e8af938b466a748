// Code and texts that are loaded when they are first shown. Their files are gone when the service was upgraded meanwhile.
import { askService } from './connection-state.ts'

export class MissingPart extends Error {
  readonly code = 'missing_part'
}

/** Not the error of `import` itself: the router would load the page anew for it, also while the service is away. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (cause) {
    void askService()
    throw new MissingPart('A part of this page could not be loaded.', { cause })
  }
}

const reloadMilliseconds = 60_000

/** Loads the page anew, and with it the newest version of the dashboard. False: this has just been tried. */
export function reloadOnce(): boolean {
  const key = `signoff.reloaded.${location.pathname}`
  if (Date.now() - Number(sessionStorage.getItem(key) ?? 0) < reloadMilliseconds) return false
  sessionStorage.setItem(key, String(Date.now()))
  location.reload()
  return true
}
