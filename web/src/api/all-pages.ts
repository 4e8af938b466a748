// Short lists are read whole: pages of 100, at most ten of them.
import type { ListCall } from '@signoff/sdk'

const limit = 100
const most = 1_000

export async function allRows<Row>(
  list: (page: { readonly limit: number }) => ListCall<Row>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const row of list({ limit })) {
    rows.push(row)
    if (rows.length === most) break
  }
  return rows
}
