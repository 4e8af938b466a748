// The kept rows of editors in this browser. Each open editor has a row of its own for what is not saved, so that two tabs
// never overwrite each other; what is saved has one row for all.

import { ownKeys } from '#api/session.ts'

import { newId } from '#records/content/ids.ts'
import { BrowserStore, type RowEntry } from '#state/browser-store.ts'
import type { StoredHistory, UnsavedCopy } from './kept-rows.ts'

const histories = new BrowserStore<StoredHistory>({
  database: 'signoff-editor',
  store: 'histories',
  maxRows: 50,
  isNeeded: ({ unsaved }) => unsaved !== undefined,
})
const copyPrefix = 'signoff.unsaved|'

export interface RowKeys {
  readonly saved: string
  /** The key of the row of one open editor. */
  readonly unsaved: string
}

const prefixOf = async (target: string): Promise<string> => `${await ownKeys()}${target}|`

export async function newRowKeys(target: string): Promise<RowKeys> {
  const saved = await prefixOf(target)
  return { saved, unsaved: saved + newId() }
}

/** Says to other tabs that the editor of this row is open. The browser ends it with the page. Only on secure pages. */
export function holdRow(key: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  void navigator.locks?.request(key, () => promise)
  return resolve
}

async function heldRows(): Promise<ReadonlySet<string | undefined>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return new Set(held.map(({ name }) => name))
}

function copies(prefix: string): readonly RowEntry<UnsavedCopy>[] {
  const begin = copyPrefix + prefix
  return Object.keys(localStorage)
    .filter(key => key.startsWith(begin))
    .map(key => ({
      key: key.slice(copyPrefix.length),
      row: JSON.parse(localStorage.getItem(key) ?? '') as UnsavedCopy,
    }))
}

export interface KeptEntries {
  readonly rows: readonly RowEntry<StoredHistory>[]
  readonly copies: readonly RowEntry<UnsavedCopy>[]
}

/** Entries of editors that are no longer open. A browser that stores nothing only loses the undo of earlier visits. */
export async function loadKept(target: string): Promise<KeptEntries> {
  const prefix = await prefixOf(target)
  const rows = await histories.entries(prefix).catch(() => [])
  const held = await heldRows()
  return {
    rows: rows.filter(({ key }) => !held.has(key)),
    copies: copies(prefix).filter(({ key }) => !held.has(key)),
  }
}

export async function hasUnsaved(target: string): Promise<boolean> {
  const entries = await loadKept(target)
  return entries.copies.length > 0 || entries.rows.some(({ row }) => row.unsaved !== undefined)
}

function removeCopies(keys: readonly string[]): void {
  for (const key of keys) localStorage.removeItem(copyPrefix + key)
}

/** Resolves to true if the browser has stored the row. `adopted`: rows whose changes are in this one. */
export async function storeRow(
  keys: RowKeys,
  row: StoredHistory,
  adopted: readonly string[],
): Promise<boolean> {
  const replaced = row.unsaved ? adopted : [...adopted, keys.unsaved]
  try {
    await histories.change({
      put: [{ key: row.unsaved ? keys.unsaved : keys.saved, row }],
      remove: replaced.filter(key => key !== keys.saved),
    })
  } catch {
    return false
  }
  removeCopies([...adopted, keys.unsaved])
  return true
}

/** Stores at once, while the page is closed. True if the browser has stored it. */
export function storeCopy({ unsaved }: RowKeys, copy: UnsavedCopy): boolean {
  try {
    localStorage.setItem(copyPrefix + unsaved, JSON.stringify(copy))
    return true
  } catch {
    return false
  }
}

/** At the end of a session. What could not be saved stays for the next one. */
export const forgetHistories = (): Promise<void> => histories.removeAll().catch(() => undefined)
