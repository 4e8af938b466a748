// One connection for the checks of a server.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, query_timeout: 10_000, ...config })
  client.on('error', () => undefined) // the running statement fails with it
  try {
    await client.connect()
    const result = await work(client)
    // PostgreSQL has free places for few connections: the next one of this process must not be one more.
    await Promise.race([client.end().catch(() => undefined), sleep(1_000, undefined, { ref: false })])
    return result
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

/** PgBouncer's answer to a setting that `ignore_startup_parameters` does not list. */
export const isRefusedParameter = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.message.startsWith('unsupported startup parameter')
