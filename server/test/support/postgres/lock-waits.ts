import { type Db, raw, sql } from '#kernel/db/db.ts'
import { runsOnCluster } from './test-cluster.ts'

const waiting = `select count(*)::int as n from pg_stat_activity
  where wait_event_type = 'Lock' and datname = current_database() and backend_type = 'client backend'`

/** Number of sessions of this database that wait for a lock. In a cluster they wait on the node that has the row. */
export function lockWaits(db: Db): Promise<number> {
  const everywhere = sql`select sum(result::int)::int as n from run_command_on_all_nodes(${waiting})`
  return db.number(runsOnCluster ? everywhere : sql`${raw(waiting)}`)
}
