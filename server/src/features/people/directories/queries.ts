import { raw, type Sql, sql } from '#kernel/db/db.ts'

/** A directory of a workspace. */
export interface DirectoryRef {
  readonly workspaceId: string
  readonly integrationId: string
}

/** The condition for rows of this directory. */
export const ofDirectory = ({ workspaceId, integrationId }: DirectoryRef, table?: string): Sql => {
  const prefix = raw(table === undefined ? '' : `${table}.`)
  return sql`${prefix}workspace_id = ${workspaceId} and ${prefix}integration_id = ${integrationId}`
}
