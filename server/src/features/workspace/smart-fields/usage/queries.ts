// Where smart fields are used, and how many people lack a value.

import { type ListResult, limitOffset, listAsJson, type PageQuery } from '#kernel/api/pagination.ts'
import { type Db, sql } from '#kernel/db/db.ts'

/** The newest field first. Only active people are counted. */
export function usageOfFields(db: Db, workspaceId: string, page: PageQuery): Promise<ListResult> {
  const rows = sql`
    with people as materialized (
      select id from teammates where workspace_id = ${workspaceId} and deleted_at is null and active),
    filled as (
      select v.smart_field_id, count(*) as n from smart_field_values v
      join people p on p.id = v.teammate_id
      where v.workspace_id = ${workspaceId} group by v.smart_field_id),
    uses as (
      select distinct r.target_id, r.holder_kind as kind, coalesce(s.id, c.id) as id, coalesce(s.name, c.name) as name
      from content_references r
      left join signatures s on s.workspace_id = r.workspace_id and s.id = r.signature_id
      left join marketing_campaigns c
        on c.workspace_id = r.workspace_id and r.holder_kind = 'campaign' and c.id = r.holder_id
      where r.workspace_id = ${workspaceId} and r.target_kind = 'smart_field'
        and r.holder_kind in ('signature', 'variant', 'rule', 'campaign'))
    select f.id as smart_field_id,
      case when f.computed then 0 else (select count(*) from people) - coalesce(filled.n, 0) end::int as missing_count,
      coalesce((
        select json_agg(json_build_object('kind', u.kind, 'id', u.id, 'name', u.name) order by u.kind, u.name)
        from uses u where u.target_id = f.id and u.id is not null), '[]') as used_in
    from smart_fields f left join filled on filled.smart_field_id = f.id
    where f.workspace_id = ${workspaceId} order by f.id desc ${limitOffset(page)}`
  const total = sql`select count(*) from smart_fields where workspace_id = ${workspaceId}`
  return listAsJson(db, page, rows, total)
}
