// The originals of pasted signatures, kept in this browser for the editor, which shows them beside the canvas.
import type { ContentImport } from '@signoff/sdk'

const originalsDatabase = 'signoff-originals'
const storeName = 'originals'
/** A signature has at most 256 KB of HTML; the oldest originals make room. */
const maxOriginals = 20

export interface StoredOriginal {
  readonly html: string
  /** What the import left out or changed. */
  readonly changes: ContentImport['not_mapped']
  /** The person has closed it in the editor. */
  readonly isClosed?: boolean
}

interface OriginalRow extends StoredOriginal {
  readonly storedAt: number
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(originalsDatabase, 1)
    request.onupgradeneeded = () =>
      request.result.createObjectStore(storeName).createIndex('storedAt', 'storedAt')
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

async function removeOldest(): Promise<void> {
  const keys = await inStore('readonly', store => store.index('storedAt').getAllKeys())
  for (const key of keys.slice(0, -maxOriginals)) await inStore('readwrite', store => store.delete(key))
}

const ignoreFailure = () => undefined

/** A browser that stores nothing (a private window, a full disk) only lacks the original in the editor. */
export async function storeOriginal(signatureId: string, original: StoredOriginal): Promise<void> {
  const row: OriginalRow = { ...original, storedAt: Date.now() }
  await inStore('readwrite', store => store.put(row, signatureId)).catch(ignoreFailure)
  await removeOldest().catch(ignoreFailure)
}

export const originalQuery = (signatureId: string | undefined) => ({
  queryKey: ['originals', signatureId] as const,
  queryFn: async (): Promise<StoredOriginal | null> => {
    if (signatureId === undefined) return null
    const row = await inStore<OriginalRow | undefined>('readonly', store => store.get(signatureId)).catch(
      ignoreFailure,
    )
    return row ?? null
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** At the end of a session: a pasted signature has the data of a person. */
export const forgetOriginals = (): void => void indexedDB.deleteDatabase(originalsDatabase)
