import type { CampaignReach } from '#features/signatures/campaigns/index.ts'
import { type Db, sql } from '#kernel/db/db.ts'

/** Runs in the transaction that changed which banners the addresses of these reaches see. */
export const saveBannerReaches = (tx: Db, workspaceId: string, reaches: readonly CampaignReach[]) =>
  tx.query(sql`
    insert into banner_reaches (workspace_id, reach)
    select ${workspaceId}::uuid, reach from jsonb_array_elements(${JSON.stringify(reaches)}::jsonb) reach`)

/** A reach, and the ids of all rows that hold it. */
interface BannerReach {
  readonly ids: readonly string[]
  readonly reach: CampaignReach
}

/** Reaches with the fewest failures first, then the oldest. */
export const bannerReaches = (db: Db, workspaceId: string, count: number) =>
  db.query<BannerReach>(sql`
    select reach, array_agg(id::text) as ids from banner_reaches
    where workspace_id = ${workspaceId}
    group by reach
    order by max(failures), min(id) limit ${count}`)

export const deleteBannerReaches = (db: Db, workspaceId: string, ids: readonly string[]) =>
  db.query(sql`delete from banner_reaches where workspace_id = ${workspaceId} and id = any(${ids}::bigint[])`)

export const recordReachFailure = (db: Db, workspaceId: string, ids: readonly string[]) =>
  db.query(sql`
    update banner_reaches set failures = failures + 1
    where workspace_id = ${workspaceId} and id = any(${ids}::bigint[])`)

export const workspacesWithBannerReaches = (db: Db) =>
  db.column<string>(sql`select distinct workspace_id from banner_reaches order by workspace_id`)
