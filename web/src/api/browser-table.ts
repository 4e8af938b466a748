// What pages keep in this browser: tables of one IndexedDB database. Every key begins with the account, so that people
// who share a browser do not share what they have typed or pasted.
import { queryClient } from './client.ts'
import { meQuery } from './session.tsx'

const databaseName = 'signoff'
const tableNames = ['histories', 'originals'] as const

/** Stays open: a page that is closed has no time to open it. */
let opened: Promise<IDBDatabase> | undefined

function openDatabase(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const forget = () => {
      opened = undefined
    }
    const request = indexedDB.open(databaseName, 1)
    request.onupgradeneeded = () => {
      for (const name of tableNames) request.result.createObjectStore(name)
    }
    request.onerror = () => {
      forget()
      reject(request.error)
    }
    request.onsuccess = () => {
      const database = request.result
      database.onclose = forget
      database.onversionchange = () => {
        forget()
        database.close()
      }
      resolve(database)
    }
  })
  return opened
}

/** The beginning of all keys of the account that is signed in. */
export const ownKeys = async (): Promise<string> =>
  `${(await queryClient.ensureQueryData(meQuery)).account.id}|`

export interface TableRow<Row> {
  readonly key: string
  readonly row: Row
}

interface TableChange<Row> {
  readonly put?: readonly TableRow<Row>[]
  readonly remove?: readonly string[]
}

/** All methods fail in a browser that stores nothing: a private window, a full disk. */
export class BrowserTable<Row> {
  readonly #name: (typeof tableNames)[number]

  constructor(name: (typeof tableNames)[number]) {
    this.#name = name
  }

  /** The rows whose keys begin with it. */
  async read(prefix: string): Promise<readonly TableRow<Row>[]> {
    const store = (await openDatabase()).transaction(this.#name).objectStore(this.#name)
    const rows: TableRow<Row>[] = []
    return new Promise((resolve, reject) => {
      const request = store.openCursor(IDBKeyRange.bound(prefix, `${prefix}\uffff`))
      request.onerror = () => reject(request.error)
      request.onsuccess = () => {
        const cursor = request.result
        if (!cursor) return resolve(rows)
        rows.push({ key: String(cursor.key), row: cursor.value as Row })
        cursor.continue()
      }
    })
  }

  /** All of it or nothing. */
  async change({ put = [], remove = [] }: TableChange<Row>): Promise<void> {
    const transaction = (await openDatabase()).transaction(this.#name, 'readwrite')
    const store = transaction.objectStore(this.#name)
    for (const key of remove) store.delete(key)
    for (const { key, row } of put) store.put(row, key)
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
    })
  }
}
