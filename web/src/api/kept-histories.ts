// The histories of editors in this browser: undo after a reload, and changes that could not be saved.
import { BrowserTable } from './browser-table.ts'

/** Only what this module needs of a row; the editor knows the rest. */
interface KeptHistory {
  readonly unsaved?: unknown
}

export const historyTable = <Row extends KeptHistory>() => new BrowserTable<Row>('histories')

/** At the end of a session. What was not saved stays for the next session of the same account. */
export async function forgetSavedHistories(): Promise<void> {
  const table = historyTable()
  const rows = await table.read('').catch(() => [])
  const saved = rows.filter(({ row }) => row.unsaved === undefined)
  await table.change({ remove: saved.map(({ key }) => key) }).catch(() => undefined)
}
