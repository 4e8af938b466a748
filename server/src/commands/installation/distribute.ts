import { distribute } from '#platform/distribution/distribute.ts'
import { CommandError, print, withDatabase } from '../context.ts'

/** Each shard of each table is a table of PostgreSQL: more would cost every connection memory. */
const maxShards = 1_024

export async function distributeTables({ shards }: { readonly shards: number }): Promise<void> {
  if (shards < 1 || shards > maxShards)
    throw new CommandError(`--shards: must be from 1 to ${maxShards}, not ${shards}.`)
  await withDatabase('distribute', async ({ db }) => {
    const client = await db.direct.connect()
    try {
      await client.query('set statement_timeout = 0')
      const { placed, unchanged, emptied } = await distribute(client, shards)
      print(
        placed.length === 0
          ? `All ${unchanged} tables have their place in the cluster.`
          : `Placed ${placed.length} tables in the cluster; ${unchanged} had their place before.`,
      )
      if (emptied.length > 0)
        print(`Removed the rows of ${emptied.length} tables from the coordinator: the nodes have them now.`)
    } finally {
      // Closing the session resets the setting.
      client.release(true)
    }
  })
}
