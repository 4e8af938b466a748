import { auditedEach } from '#features/workspace/audit-log/index.ts'
import { type ListResult, limitOffset, listAsJson, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { orderBy, type SortColumns, type SortQuery } from '#kernel/api/sorting.ts'
import { momentOf } from '#kernel/api/validation.ts'
import { rowAt } from '#kernel/base/ids.ts'
import { type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import { changedSince, iso } from '#kernel/db/text.ts'
import { type ChannelName, fetchChannels } from './channel.ts'
import { hasTrouble, troubleJoin, troubleShape } from './troubles/queries.ts'

const shape = sql`
  i.id, i.signature_id as signature_template_id, i.email_id, e.address as email_address, i.integration_id, i.channel, i.status,
  i.error_code, i.error_message, i.attempts, i.html_sha256, ${iso(sql`i.installed_at`)} as installed_at,
  ${iso(sql`i.first_fetched_at`)} as first_fetched_at, ${iso(sql`i.last_fetched_at`)} as last_fetched_at,
  ${troubleShape}, ${iso(sql`i.created_at`)} as created_at, ${iso(sql`i.updated_at`)} as updated_at`

export const installationSorts = {
  status: sql`status`,
  created_at: null,
  updated_at: sql`updated_at`,
} satisfies SortColumns

interface InstallationFilters extends SortQuery {
  readonly status?: string
  readonly email_id?: string
  readonly signature_template_id?: string
  readonly integration_id?: string
  readonly trouble?: 'any'
  readonly updated_since?: string
}

export function listInstallations(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  filters: InstallationFilters,
): Promise<ListResult> {
  const { status, email_id, signature_template_id, integration_id, trouble, updated_since, sort } = filters
  const matching = sql`
    from installations where workspace_id = ${workspaceId}
      ${status === undefined ? empty : sql`and status = ${status}`}
      ${email_id === undefined ? empty : sql`and email_id = ${email_id}`}
      ${signature_template_id === undefined ? empty : sql`and signature_id = ${signature_template_id}`}
      ${integration_id === undefined ? empty : sql`and integration_id = ${integration_id}`}
      ${trouble === undefined ? empty : sql`and ${hasTrouble}`}
      ${changedSince(sql`updated_at`, momentOf(updated_since))}`
  const ids = sql`select id ${matching} ${orderBy(sort, installationSorts, sql`id`)} ${limitOffset(page)}`
  return listAsJson(
    db,
    page,
    sql`
      select ${shape} from unnest(array(${ids})) with ordinality as page (id, position)
      join installations i on i.workspace_id = ${workspaceId} and i.id = page.id
      join emails e on e.workspace_id = i.workspace_id and e.id = i.email_id
      ${troubleJoin}
      order by page.position`,
    sql`select count(*) ${matching}`,
  )
}

export const findInstallation = (db: Db, workspaceId: string, id: string) =>
  db.first<object>(sql`
    select ${shape} from installations i
    join emails e on e.workspace_id = i.workspace_id and e.id = i.email_id
    ${troubleJoin}
    where i.workspace_id = ${workspaceId} and i.id = ${id}`)

export interface InstallationCounts {
  readonly pending: number
  readonly installed: number
  readonly drifted: number
  readonly failed: number
  readonly uninstalled: number
}

export interface InstallationProgress {
  readonly pushed: InstallationCounts
  /** Through channels that fetch by themselves: not copies from the personal page. */
  readonly fetched: InstallationCounts
  readonly personal_page: InstallationCounts
  /** Delivered in the last minute. */
  readonly recent: number
}

export async function progressOf(
  db: Db,
  workspaceId: string,
  signatureId: string,
): Promise<InstallationProgress> {
  const counts = (condition: Sql) => sql`json_build_object(
    'pending', count(*) filter (where ${condition} and status = 'pending'),
    'installed', count(*) filter (where ${condition} and status = 'installed'),
    'drifted', count(*) filter (where ${condition} and status = 'drifted'),
    'failed', count(*) filter (where ${condition} and status = 'failed'),
    'uninstalled', count(*) filter (where ${condition} and status = 'uninstalled'))`
  const isFetched = sql`channel = any(${fetchChannels}::text[])`
  const row = await db.first<InstallationProgress>(sql`
    select ${counts(sql`not ${isFetched}`)} as pushed,
      ${counts(sql`${isFetched} and channel <> 'personal_page'`)} as fetched,
      ${counts(sql`channel = 'personal_page'`)} as personal_page,
      count(*) filter (where not ${isFetched} and status = 'installed'
        and installed_at > now() - interval '1 minute')::int as recent
    from installations where workspace_id = ${workspaceId} and signature_id = ${signatureId}`)
  return row as InstallationProgress
}

export interface PastInstallation {
  readonly signatureId: string
  readonly emailId: string
  readonly integrationId: string
  readonly channel: ChannelName
  readonly status: 'pending' | 'installed' | 'drifted' | 'failed'
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly at: Date
}

/** Installations that were made before they came into this database. */
export const insertPastInstallations = (
  workspaceId: string,
  installations: readonly PastInstallation[],
): Sql => sql`
  insert into installations (workspace_id, id, signature_id, email_id, channel, integration_id, status, error_code,
    error_message, attempts, installed_at, created_at, updated_at)
  select ${workspaceId}::uuid, p.id, p.signature_id, p.email_id, p.channel, p.integration_id, p.status, p.error_code,
    p.error_message, p.attempts, case when p.status = 'installed' then p.at end, p.at, p.at
  from ${rows(
    'p',
    installations.map(installation => ({ ...installation, ...rowAt(installation.at) })),
    {
      id: ['uuid', row => row.id],
      signature_id: ['uuid', row => row.signatureId],
      email_id: ['uuid', row => row.emailId],
      channel: ['text', row => row.channel],
      integration_id: ['uuid', row => row.integrationId],
      status: ['text', row => row.status],
      error_code: ['text', row => row.errorCode],
      error_message: ['text', row => row.errorMessage],
      attempts: ['int', row => (row.status === 'pending' ? 0 : 1)],
      at: ['timestamptz', row => row.now],
    },
  )}
  on conflict do nothing`

/** True if the workspace has a channel. */
export const hasChannel = (db: Db, workspaceId: string) =>
  db.hasRows(sql`
    select from workspaces where id = ${workspaceId} and personal_page
    union all
    select from integrations
    where workspace_id = ${workspaceId} and deleted_at is null and 'channel' = any(capabilities)
      and (secret is not null or kind = any(${fetchChannels}::text[]))
    limit 1`)

export const auditInstallation = (tx: Db, by: Caller, emailId: string) =>
  tx.query(auditedEach(by, 'email.install_requested', [emailId]))
