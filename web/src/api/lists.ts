import type { ListCall, Page } from '@signoff/sdk'

const limit = 100
const most = 1_000

/** Short lists are read whole: pages of 100, at most ten of them. */
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

/** Number of rows: one row is requested, and the pagination has the number. */
export const totalOf = async <Row>(call: ListCall<Row, Page<Row>>): Promise<number> =>
  (await call.raw()).body.pagination.total_count
