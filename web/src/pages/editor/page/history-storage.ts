// Keeps the history of an editor in the browser, so that undo works after a reload and changes that could not be saved
// are not lost.
import { BrowserStore } from '../../../api/browser-store.ts'
import { queryClient } from '../../../api/client.ts'
import { meQuery } from '../../../api/session.tsx'
import type { PackedHistory } from '../model/packed-history.ts'
import type { SavedTree } from './autosave.ts'

export interface StoredHistory {
  readonly history: PackedHistory
  /** The version of the service that the present tree was saved as, or that its unsaved changes began with. */
  readonly version: string | undefined
  /** Only with unsaved changes: what they began with. */
  readonly unsaved?: (SavedTree & { readonly name: string }) | undefined
}

/** Two people who share a browser do not share what they have typed. */
const keyFor = async (key: string): Promise<string> =>
  `${(await queryClient.ensureQueryData(meQuery)).account.id} ${key}`

const histories = new BrowserStore<StoredHistory>({
  database: 'signoff-editor',
  store: 'histories',
  maxRows: 50,
  isNeeded: ({ unsaved }) => unsaved !== undefined,
})

/** A browser that stores nothing (a private window, a full disk) only loses the undo of earlier visits. */
export const loadHistory = async (key: string): Promise<StoredHistory | undefined> => {
  const ownKey = await keyFor(key)
  return histories.get(ownKey).catch(() => undefined)
}

/** Whether the browser has stored it. */
export const storeHistory = async (key: string, stored: StoredHistory): Promise<boolean> => {
  try {
    await histories.put(await keyFor(key), stored)
    return true
  } catch {
    return false
  }
}

/** At the end of a session. What could not be saved stays for the next one. */
export const forgetHistories = (): Promise<void> => histories.removeAll().catch(() => undefined)
