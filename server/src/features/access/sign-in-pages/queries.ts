import { type Db, sql } from '#kernel/db/db.ts'

export interface NamedWorkspace {
  readonly id: string
  readonly name: string
}

export const findWorkspaceName = (db: Db, workspaceId: string) =>
  db.first<NamedWorkspace>(sql`select id, name from workspaces where id = ${workspaceId}`)

/** Undefined where the installation has several workspaces, or none. */
export async function findOnlyWorkspace(db: Db): Promise<NamedWorkspace | undefined> {
  const rows = await db.query<NamedWorkspace>(sql`select id, name from workspaces order by id limit 2`)
  return rows.length === 1 ? rows[0] : undefined
}
