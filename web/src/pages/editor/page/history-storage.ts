// Keeps the history of an editor in the browser, so that undo works after a reload and changes that could not be saved
// are not lost.
import { queryClient } from '../../../api/client.ts'
import { meQuery } from '../../../api/session.tsx'
import type { PackedHistory } from '../model/packed-history.ts'
import type { SavedTree } from './autosave.ts'

const databaseName = 'signoff-editor'
const storeName = 'histories'

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

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(storeName)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await openDatabase()
  try {
    return await new Promise<Result>((resolve, reject) => {
      const request = use(database.transaction(storeName, mode).objectStore(storeName))
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  } finally {
    database.close()
  }
}

/** A browser that stores nothing (a private window, a full disk) only loses the undo of earlier visits. */
export const loadHistory = async (key: string): Promise<StoredHistory | undefined> => {
  const ownKey = await keyFor(key)
  return inStore<StoredHistory | undefined>('readonly', store => store.get(ownKey)).catch(() => undefined)
}

/** Whether the browser has stored it. */
export const storeHistory = async (key: string, stored: StoredHistory): Promise<boolean> => {
  try {
    const ownKey = await keyFor(key)
    await inStore('readwrite', store => store.put(stored, ownKey))
    return true
  } catch {
    return false
  }
}
