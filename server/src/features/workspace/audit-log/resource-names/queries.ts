// The names of what was changed, as they are now. The entries of a page are at most 100, so each is looked up by its key.
import { type Sql, sql } from '#kernel/db/db.ts'

/** First and last name, else the address; also of a person who was deleted. */
const personName = (workspaceId: string, id: Sql): Sql => sql`(
  select coalesce(
    nullif(trim(concat_ws(' ',
      (select v.value from smart_field_values v
       join smart_fields f on f.workspace_id = v.workspace_id and f.id = v.smart_field_id and f.key = 'first_name'
       where v.workspace_id = ${workspaceId} and v.teammate_id = ${id}),
      (select v.value from smart_field_values v
       join smart_fields f on f.workspace_id = v.workspace_id and f.id = v.smart_field_id and f.key = 'last_name'
       where v.workspace_id = ${workspaceId} and v.teammate_id = ${id}))), ''),
    (select e.address from emails e
     where e.workspace_id = ${workspaceId} and e.teammate_id = ${id}
     order by e.is_primary desc, e.id limit 1)))`

/** Null for what has no name, and for what is gone with its row. */
export function resourceName(workspaceId: string): Sql {
  const ofResource = sql`r.workspace_id = ${workspaceId} and r.id = a.resource_id`
  return sql`
  case split_part(a.action, '.', 1)
    when 'teammate' then ${personName(workspaceId, sql`a.resource_id`)}
    when 'profile_change' then (
      select ${personName(workspaceId, sql`r.teammate_id`)} from profile_changes r where ${ofResource})
    when 'email' then (select r.address from emails r where ${ofResource})
    when 'signature' then (select r.name from signatures r where ${ofResource})
    when 'signature_variant' then (
      select s.name from signature_variants r
      join signatures s on s.workspace_id = r.workspace_id and s.id = r.signature_id where ${ofResource})
    when 'publication_request' then (
      select s.name from publication_requests r
      join signatures s on s.workspace_id = r.workspace_id and s.id = r.signature_id where ${ofResource})
    when 'marketing_campaign' then (select r.name from marketing_campaigns r where ${ofResource})
    when 'smart_field' then (select r.label from smart_fields r where ${ofResource})
    when 'folder' then (select r.name from folders r where ${ofResource})
    when 'asset' then (select r.name from assets r where ${ofResource})
    when 'member' then coalesce(
      (select r.name from members r where ${ofResource}),
      (select r.name from former_members r where ${ofResource}))
    when 'api_key' then (select r.name from api_keys r where ${ofResource})
    when 'webhook' then (select r.url from webhooks r where ${ofResource})
    when 'integration' then (select r.name from integrations r where ${ofResource})
    when 'financial_document' then (select r.number from financial_documents r where ${ofResource})
    when 'import' then (select r.file_name from imports r where ${ofResource})
    when 'scim_user' then (select r.resource ->> 'userName' from scim_users r where ${ofResource})
    when 'scim_group' then (select r.resource ->> 'displayName' from scim_groups r where ${ofResource})
    when 'sso_connection' then (select r.name from sso_connections r where ${ofResource})
  end`
}
