// How many there are: one row is requested, and the pagination has the number.
import type { ListCall, Page } from '@signoff/sdk'

export const totalOf = async <Row>(call: ListCall<Row, Page<Row>>): Promise<number> =>
  (await call.raw()).body.pagination.total_count
