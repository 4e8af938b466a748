// Keeps the history of an editor in the browser, so that undo works after a reload and changes that could not be saved
// are not lost.
import { ownKeys } from '../../../api/browser-table.ts'
import { historyTable } from '../../../api/kept-histories.ts'
import type { PackedHistory } from '../model/packed-history.ts'
import type { SavedTree } from './autosave.ts'

export interface StoredHistory {
  readonly history: PackedHistory
  /** The version of the service that the present tree was saved as, or that its unsaved changes began with. */
  readonly version: string | undefined
  /** Only with unsaved changes: what they began with. */
  readonly unsaved?: (SavedTree & { readonly name: string }) | undefined
}

const histories = historyTable<StoredHistory>()
const keyFor = async (key: string): Promise<string> => `${await ownKeys()}${key}|`

/** A browser that stores nothing (a private window, a full disk) only loses the undo of earlier visits. */
export const loadHistory = async (key: string): Promise<StoredHistory | undefined> => {
  const [own] = await histories.read(await keyFor(key)).catch(() => [])
  return own?.row
}

/** Whether the browser has stored it. */
export const storeHistory = async (key: string, stored: StoredHistory): Promise<boolean> => {
  try {
    await histories.change({ put: [{ key: await keyFor(key), row: stored }] })
    return true
  } catch {
    return false
  }
}
