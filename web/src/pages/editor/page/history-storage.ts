// Keeps the history of an editor in the browser, so that undo works after a reload and changes that could not be saved
// are not lost.
import type { PackedHistory } from '../model/packed-history.ts'

const databaseName = 'signoff-editor'
const storeName = 'histories'

export interface StoredHistory {
  readonly history: PackedHistory
  /** The version of the service that the present tree was saved as, or that its unsaved changes began with. */
  readonly version: string | undefined
}

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
export const loadHistory = (key: string): Promise<StoredHistory | undefined> =>
  inStore<StoredHistory | undefined>('readonly', store => store.get(key)).catch(() => undefined)

export const storeHistory = (key: string, stored: StoredHistory): Promise<void> =>
  inStore('readwrite', store => store.put(stored, key)).then(
    () => undefined,
    () => undefined,
  )

export const clearHistories = (): Promise<void> =>
  inStore('readwrite', store => store.clear()).then(
    () => undefined,
    () => undefined,
  )
