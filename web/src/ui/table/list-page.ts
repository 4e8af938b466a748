// One page of a list with the number of all rows: what `VirtualTable` asks for.
import type { ListCall } from '@signoff/sdk'
import type { ListPage } from './virtual-table.tsx'

export async function listPageOf<Row>(call: ListCall<Row>): Promise<ListPage<Row>> {
  const { body } = await call.raw()
  return { rows: body.data, total: body.pagination.total_count }
}
