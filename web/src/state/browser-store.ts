// Rows that this browser keeps, in a database (IndexedDB) for each kind of row. The oldest rows make room for new ones.

interface StoredRow {
  readonly key: IDBValidKey
  /** 0: written before rows had a time. */
  readonly storedAt: number
  /** It has work that is nowhere else: only its owner removes it. */
  readonly isNeeded: boolean
}

/** The oldest rows above the number that is kept, without those that are needed. */
export function rowsToRemove(rows: readonly StoredRow[], maxRows: number): readonly IDBValidKey[] {
  const removable = rows.filter(row => !row.isNeeded).sort((a, b) => a.storedAt - b.storedAt)
  return removable.slice(0, Math.max(0, rows.length - maxRows)).map(({ key }) => key)
}

export interface RowEntry<Row> {
  readonly key: string
  readonly row: Row
}

interface RowChanges<Row> {
  readonly put: readonly RowEntry<Row>[]
  readonly remove?: readonly string[]
}

const resultOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

interface BrowserStoreOptions<Row> {
  readonly database: string
  readonly store: string
  readonly maxRows: number
  readonly isNeeded?: (row: Row) => boolean
}

/** Every call rejects in a browser that stores nothing: a private window, a full disk. */
export class BrowserStore<Row extends object> {
  readonly #options: BrowserStoreOptions<Row>
  #database: Promise<IDBDatabase> | undefined

  constructor(options: BrowserStoreOptions<Row>) {
    this.#options = options
  }

  get(key: string): Promise<Row | undefined> {
    return this.#use('readonly', store => resultOf<Row | undefined>(store.get(key)))
  }

  /** The rows whose keys begin with it. */
  entries(prefix: string): Promise<readonly RowEntry<Row>[]> {
    const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`)
    return this.#use('readonly', async store => {
      const [keys, rows] = await Promise.all([
        resultOf(store.getAllKeys(range)),
        resultOf<Row[]>(store.getAll(range)),
      ])
      return rows.map((row, index) => ({ key: String(keys[index]), row }))
    })
  }

  put(key: string, row: Row): Promise<void> {
    return this.change({ put: [{ key, row }] })
  }

  /** All of it or nothing. */
  async change({ put, remove = [] }: RowChanges<Row>): Promise<void> {
    await this.#use('readwrite', async store => {
      await Promise.all([
        ...remove.map(key => resultOf(store.delete(key))),
        ...put.map(({ key, row }) => resultOf(store.put({ ...row, storedAt: Date.now() }, key))),
      ])
      if ((await resultOf(store.count())) > this.#options.maxRows)
        await this.#remove(store, this.#options.maxRows)
    })
  }

  /** All rows but those that are needed. */
  removeAll(): Promise<void> {
    return this.#use('readwrite', store => this.#remove(store, 0))
  }

  async #remove(store: IDBObjectStore, maxRows: number): Promise<void> {
    const [keys, values] = await Promise.all([
      resultOf(store.getAllKeys()),
      resultOf<(Row & { readonly storedAt?: number })[]>(store.getAll()),
    ])
    const rows = values.map((row, index) => ({
      key: keys[index] ?? '',
      storedAt: row.storedAt ?? 0,
      isNeeded: this.#options.isNeeded?.(row) ?? false,
    }))
    await Promise.all(rowsToRemove(rows, maxRows).map(key => resultOf(store.delete(key))))
  }

  async #use<Result>(
    mode: IDBTransactionMode,
    use: (store: IDBObjectStore) => Promise<Result>,
  ): Promise<Result> {
    const { store } = this.#options
    return use((await this.#open()).transaction(store, mode).objectStore(store))
  }

  /** It stays open: a page that is closed has no time to open it. */
  #open(): Promise<IDBDatabase> {
    this.#database ??= this.#newDatabase()
    return this.#database
  }

  async #newDatabase(): Promise<IDBDatabase> {
    const { database: name, store } = this.#options
    const forget = () => {
      this.#database = undefined
    }
    try {
      const opening = indexedDB.open(name, 1)
      opening.onupgradeneeded = () => void opening.result.createObjectStore(store)
      const database = await resultOf(opening)
      database.onclose = forget
      return database
    } catch (error) {
      forget()
      throw error
    }
  }
}
