import { audited, auditedInsert } from '#features/workspace/audit-log/index.ts'
import { type ListResult, limitOffset, listAsJson, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { alphabetical, orderBy, type SortColumns, type SortQuery } from '#kernel/api/sorting.ts'
import { apiError } from '#kernel/base/errors.ts'
import { newRow } from '#kernel/base/ids.ts'
import { type Db, isViolation, type Sql, sql } from '#kernel/db/db.ts'
import { iso } from '#kernel/db/text.ts'
import type { Folder } from './schemas.ts'

const shape = (workspaceId: string): Sql => sql`
  f.id, f.name,
  (select count(*)::int from signatures s where s.workspace_id = ${workspaceId} and s.folder_id = f.id) as signature_count,
  ${iso(sql`f.created_at`)} as created_at, ${iso(sql`f.updated_at`)} as updated_at`

export const folderSorts = {
  name: alphabetical(sql`name`),
  created_at: null,
  updated_at: sql`updated_at`,
} satisfies SortColumns

export function listFolders(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  { sort }: SortQuery = {},
): Promise<ListResult> {
  const order = orderBy(sort, folderSorts, sql`id`)
  return listAsJson(
    db,
    page,
    sql`
      select ${shape(workspaceId)}
      from (select * from folders where workspace_id = ${workspaceId} ${order} ${limitOffset(page)}) f
      ${order}`,
    sql`select count(*) from folders where workspace_id = ${workspaceId}`,
  )
}

export const findFolder = (db: Db, workspaceId: string, id: string) =>
  db.first<Folder>(
    sql`select ${shape(workspaceId)} from folders f where f.workspace_id = ${workspaceId} and f.id = ${id}`,
  )

export async function createFolder(db: Db, by: Caller, name: string): Promise<Folder> {
  const { id, now } = newRow()
  const insert = sql`
    insert into folders (workspace_id, id, name, created_at, updated_at)
    values (${by.workspaceId}, ${id}, ${name}, ${now}, ${now})`
  await db.query(auditedInsert(by, 'folder.created', id, insert))
  const created_at = now.toISOString()
  return { id, name, signature_count: 0, created_at, updated_at: created_at }
}

export async function renameFolder(
  db: Db,
  by: Caller,
  id: string,
  name: string,
): Promise<Folder | undefined> {
  const update = sql`
    update folders as f set name = ${name}, updated_at = ${new Date()}
    where f.workspace_id = ${by.workspaceId} and f.id = ${id}
    returning f.*`
  const result = sql`select ${shape(by.workspaceId)} from changed f`
  return db.first<Folder>(audited(by, 'folder.updated', update, undefined, result))
}

export async function deleteFolder(db: Db, by: Caller, id: string): Promise<{ id: string } | undefined> {
  const remove = sql`delete from folders where workspace_id = ${by.workspaceId} and id = ${id} returning id`
  try {
    return await db.first<{ id: string }>(audited(by, 'folder.deleted', remove))
  } catch (error) {
    // The foreign key decides, so a signature that is moved into the folder at the same moment is not lost.
    throw isViolation(error, 'signatures_folder') ? apiError('folder_not_empty') : error
  }
}

export const findFolderByName = (db: Db, workspaceId: string, name: string) =>
  db.first<{ readonly id: string }>(
    sql`select id from folders where workspace_id = ${workspaceId} and name = ${name} order by id limit 1`,
  )
