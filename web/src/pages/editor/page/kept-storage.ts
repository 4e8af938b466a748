// The kept rows of editors in this browser. Each open editor has a row of its own for what is not saved, so that two tabs
// never overwrite each other; what is saved has one row for all.
import { ownKeys, type TableRow } from '../../../api/browser-table.ts'
import { historyTable } from '../../../api/kept-histories.ts'
import { newId } from '../model/ids.ts'
import { type StoredHistory, type UnsavedCopy, withCopy } from './kept-rows.ts'

const table = historyTable<StoredHistory>()
const copyPrefix = 'signoff.unsaved|'

export interface RowKeys {
  readonly saved: string
  /** Of one editor. */
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

function copies(prefix: string): readonly TableRow<UnsavedCopy>[] {
  const begin = copyPrefix + prefix
  return Object.keys(localStorage)
    .filter(key => key.startsWith(begin))
    .map(key => ({
      key: key.slice(copyPrefix.length),
      row: JSON.parse(localStorage.getItem(key) ?? '') as UnsavedCopy,
    }))
}

/** The rows of editors that are not open any more. A browser that stores nothing only loses the undo of earlier visits. */
export async function loadRows(target: string): Promise<readonly TableRow<StoredHistory>[]> {
  const prefix = await prefixOf(target)
  const rows = new Map((await table.read(prefix).catch(() => [])).map(({ key, row }) => [key, row]))
  for (const { key, row } of copies(prefix)) rows.set(key, withCopy(rows.get(key), row))
  const held = await heldRows()
  return [...rows].filter(([key]) => !held.has(key)).map(([key, row]) => ({ key, row }))
}

export const hasUnsavedRow = async (target: string): Promise<boolean> =>
  (await loadRows(target)).some(({ row }) => row.unsaved !== undefined)

function removeCopies(keys: readonly string[]): void {
  for (const key of keys) localStorage.removeItem(copyPrefix + key)
}

/** Whether the browser has stored it. `adopted`: rows whose changes are in this one. */
export async function storeRow(
  keys: RowKeys,
  row: StoredHistory,
  adopted: readonly string[],
): Promise<boolean> {
  const replaced = row.unsaved ? adopted : [...adopted, keys.unsaved]
  try {
    await table.change({
      put: [{ key: row.unsaved ? keys.unsaved : keys.saved, row }],
      remove: replaced.filter(key => key !== keys.saved),
    })
  } catch {
    return false
  }
  removeCopies([...adopted, keys.unsaved])
  return true
}

/** At once, while the page is closed. Whether the browser has stored it. */
export function storeCopy({ unsaved }: RowKeys, copy: UnsavedCopy): boolean {
  try {
    localStorage.setItem(copyPrefix + unsaved, JSON.stringify(copy))
    return true
  } catch {
    return false
  }
}
