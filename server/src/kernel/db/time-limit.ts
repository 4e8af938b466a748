import { type Db, isTimeout, sql } from './db.ts'

/**
 * Runs `work` with a statement timeout. Returns undefined when a statement exceeds it. Where `db` is a transaction, its
 * other statements keep their own limit.
 */
export async function withTimeLimit<T>(
  db: Db,
  milliseconds: number,
  work: (tx: Db) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await db.transaction(async tx => {
      const row = await tx.first<{ before: string }>(
        sql`select current_setting('statement_timeout') as before, set_config('statement_timeout', ${`${milliseconds}ms`}, true)`,
      )
      const result = await work(tx)
      await tx.query(sql`select set_config('statement_timeout', ${row?.before}, true)`)
      return result
    })
  } catch (error) {
    if (isTimeout(error)) return undefined
    throw error
  }
}
