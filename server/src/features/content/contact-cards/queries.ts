import { valueOrPortrait } from '#features/content/assets/index.ts'
import { type Db, sql } from '#kernel/db/db.ts'
import type { CardHolder } from './tokens.ts'

interface CardWorkspace {
  readonly number: number
  /** The website of the brand. */
  readonly website: string | null
}

export async function findCardWorkspace(db: Db, workspaceId: string): Promise<CardWorkspace> {
  const workspace = await db.first<CardWorkspace>(sql`
    select w.number, b.website from workspaces w left join brands b on b.workspace_id = w.id
    where w.id = ${workspaceId}`)
  return workspace ?? { number: 0, website: null }
}

interface StoredCard {
  readonly workspaceId: string
  readonly address: string
  /** By smart field id. */
  readonly values: Readonly<Record<string, string>>
  /** The website of the brand. */
  readonly website: string | null
}

/** Undefined when the address or its owner does not exist any more. */
export async function findCard(db: Db, { workspace, email }: CardHolder): Promise<StoredCard | undefined> {
  const row = await db.first<{ id: string }>(sql`select id from workspaces where number = ${workspace}`)
  if (!row) return undefined
  const workspaceId = row.id
  return db.first<StoredCard>(sql`
    select e.workspace_id as "workspaceId", e.address, coalesce((
      select json_object_agg(v.smart_field_id, ${valueOrPortrait(workspaceId)}) from smart_field_values v
      where v.workspace_id = ${workspaceId} and v.teammate_id = e.teammate_id), '{}') as values, b.website
    from emails e
    join teammates t on t.workspace_id = e.workspace_id and t.id = e.teammate_id and t.deleted_at is null
    left join brands b on b.workspace_id = e.workspace_id
    where e.workspace_id = ${workspaceId} and e.number = ${email} and e.deleted_at is null`)
}
