// One connection for the checks of a server.
import pg from 'pg'

export async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, query_timeout: 10_000, ...config })
  client.on('error', () => undefined) // the running statement fails with it
  try {
    await client.connect()
    return await work(client)
  } finally {
    void client.end().catch(() => undefined)
  }
}

/** PgBouncer's answer to a setting that `ignore_startup_parameters` does not list. */
export const isRefusedParameter = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.message.startsWith('unsupported startup parameter')
