import type { Content } from '@signoff/render'
import type { Conditions } from '#features/signatures/recipients/index.ts'
import { audited, auditedInsert } from '#features/workspace/audit-log/index.ts'
import { emailShape } from '#features/workspace/emails/index.ts'
import { listLargeRows, type StreamedList } from '#kernel/api/large-pages.ts'
import { type ListResult, limitOffset, type PageQuery } from '#kernel/api/pagination.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { alphabetical, orderBy, type SortColumns, type SortQuery } from '#kernel/api/sorting.ts'
import { missingIds, newRow } from '#kernel/base/ids.ts'
import { type Db, empty, join, raw, type Sql, sql } from '#kernel/db/db.ts'
import { rows } from '#kernel/db/rows.ts'
import { comparisonKey, iso } from '#kernel/db/text.ts'
import { type CampaignStatus, nextTransitionAt } from './lifecycle/states.ts'
import type { Campaign, CampaignVariant } from './schemas.ts'

const targets = (workspaceId: string): Sql => sql`array(
  select t.signature_id from campaign_signatures t
  where t.workspace_id = ${workspaceId} and t.campaign_id = c.id order by t.signature_id)`

/** Columns of the campaign row with alias `c`. */
const shape = (workspaceId: string): Sql => sql`
  c.id, c.name, c.status, c.send_email, c.content, c.variants, c.smart_fields_conditions,
  ${targets(workspaceId)} as signature_template_ids, ${iso(sql`c.start_time`)} as start_time, ${iso(sql`c.end_time`)} as end_time,
  c.time_zone, ${iso(sql`c.created_at`)} as created_at, ${iso(sql`c.updated_at`)} as updated_at`

export const campaignSorts = {
  name: alphabetical(sql`name`),
  status: sql`array_position(array['draft', 'scheduled', 'active', 'paused', 'ended'], status)`,
  start_time: { nullable: sql`start_time` },
  end_time: { nullable: sql`end_time` },
  created_at: null,
  updated_at: sql`updated_at`,
} satisfies SortColumns

interface CampaignFilters extends SortQuery {
  readonly status?: CampaignStatus
  readonly search?: string
  readonly signature_template_id?: string
}

/** `lower` of the database and `comparisonKey` agree for letters that both know; the text is compared in both forms. */
const nameContains = (search: string): Sql =>
  sql`and (strpos(lower(name), ${comparisonKey(search)}) > 0 or strpos(name, ${search.trim()}) > 0)`

export function listCampaigns(
  db: Db,
  workspaceId: string,
  page: PageQuery,
  { status, search, signature_template_id, sort }: CampaignFilters,
): Promise<ListResult | StreamedList> {
  const rows = sql`
    from marketing_campaigns c where workspace_id = ${workspaceId} ${status ? sql`and status = ${status}` : empty}
      ${search === undefined ? empty : nameContains(search)}
      ${
        signature_template_id === undefined
          ? empty
          : sql`and not lost_targets and (${targets(workspaceId)} = '{}' or ${signature_template_id} = any(${targets(workspaceId)}))`
      }`
  return listLargeRows(db, page, {
    ids: sql`select id ${rows} ${orderBy(sort, campaignSorts, sql`id`)} ${limitOffset(page)}`,
    rowsOf: ids => sql`
      select ${shape(workspaceId)} from (${ids}) page
      join marketing_campaigns c on c.workspace_id = ${workspaceId} and c.id = page.id`,
    total: sql`select count(*) ${rows}`,
  })
}

const fromCampaign = (workspaceId: string, id: string): Sql =>
  sql`from marketing_campaigns c where c.workspace_id = ${workspaceId} and c.id = ${id}`

export const findCampaign = (db: Db, workspaceId: string, id: string) =>
  db.first<Campaign>(sql`select ${shape(workspaceId)} ${fromCampaign(workspaceId, id)}`)

export const hasCampaignNamed = (db: Db, workspaceId: string, name: string) =>
  db.hasRows(
    sql`select from marketing_campaigns where workspace_id = ${workspaceId} and name = ${name} limit 1`,
  )

/** A campaign with the fields that the API does not show. */
export interface StoredCampaign extends Campaign {
  readonly started_at: Date | null
  readonly mailed_at: Date | null
  readonly lost_targets: boolean
}
const storedShape = (workspaceId: string): Sql =>
  sql`${shape(workspaceId)}, c.started_at, c.mailed_at, c.lost_targets`

export const findStoredCampaign = (db: Db, workspaceId: string, id: string) =>
  db.first<StoredCampaign>(sql`select ${storedShape(workspaceId)} ${fromCampaign(workspaceId, id)}`)

/** Call this before any change: another transaction that changes the campaign waits. */
export const lockCampaign = (tx: Db, workspaceId: string, id: string) =>
  tx.first<StoredCampaign>(
    sql`select ${storedShape(workspaceId)} ${fromCampaign(workspaceId, id)} for no key update of c`,
  )

/** Locks and returns the campaigns that have a due start or end. */
export const lockDueCampaigns = (tx: Db, workspaceId: string, now: Date) =>
  tx.query<StoredCampaign>(sql`
    select ${storedShape(workspaceId)} from marketing_campaigns c
    where c.workspace_id = ${workspaceId} and c.turns_at <= ${now}
    order by c.id
    for no key update of c`)

/** The workspaces that have campaigns with a due start or end. */
export const workspacesWithDueCampaigns = (db: Db, now: Date) =>
  db.column<string>(sql`select distinct workspace_id from marketing_campaigns where turns_at <= ${now}`)

/** The writable fields of a campaign, with times as dates. */
export interface CampaignFields {
  readonly name: string
  readonly status: CampaignStatus
  readonly sendEmail: boolean
  readonly content: Content | null
  readonly variants: readonly CampaignVariant[]
  readonly conditions: Conditions
  readonly start: Date | null
  readonly end: Date | null
  readonly timeZone: string
  readonly startedAt: Date | null
  /** All signatures that the campaign targeted were deleted. */
  readonly lostTargets: boolean
}

const columns = (fields: CampaignFields): readonly (readonly [column: string, value: Sql])[] => {
  const { content } = fields
  return [
    ['name', sql`${fields.name}`],
    ['status', sql`${fields.status}`],
    ['send_email', sql`${fields.sendEmail}`],
    ['content', sql`${content === null ? null : JSON.stringify(content)}::jsonb`],
    ['variants', sql`${JSON.stringify(fields.variants)}::jsonb`],
    ['smart_fields_conditions', sql`${JSON.stringify(fields.conditions)}::jsonb`],
    ['start_time', sql`${fields.start}`],
    ['end_time', sql`${fields.end}`],
    ['time_zone', sql`${fields.timeZone}`],
    ['started_at', sql`${fields.startedAt}`],
    ['lost_targets', sql`${fields.lostTargets}`],
    ['turns_at', sql`${nextTransitionAt(fields)}`],
  ]
}

export async function insertCampaign(
  tx: Db,
  by: Caller,
  fields: CampaignFields,
  signatureIds: readonly string[],
): Promise<Campaign> {
  const { id, now } = newRow()
  const columnValues = columns(fields)
  const insert = sql`
    insert into marketing_campaigns (workspace_id, id, created_at, updated_at, ${join(columnValues.map(([column]) => raw(column)))})
    values (${by.workspaceId}, ${id}, ${now}, ${now}, ${join(columnValues.map(([, value]) => value))})`
  await tx.query(auditedInsert(by, 'marketing_campaign.created', id, insert))
  await saveTargets(tx, by.workspaceId, id, signatureIds)
  return (await findCampaign(tx, by.workspaceId, id)) as Campaign
}

/** The campaign must be locked. */
export async function updateCampaign(
  tx: Db,
  by: Caller,
  id: string,
  fields: CampaignFields,
  action: string,
): Promise<Campaign> {
  const sets = columns(fields).map(([column, value]) => sql`${raw(column)} = ${value}`)
  const update = sql`
    update marketing_campaigns set ${join([...sets, sql`updated_at = ${new Date()}`])}
    where workspace_id = ${by.workspaceId} and id = ${id}
    returning id`
  await tx.query(audited(by, `marketing_campaign.${action}`, update))
  return (await findCampaign(tx, by.workspaceId, id)) as Campaign
}

export async function saveTargets(
  tx: Db,
  workspaceId: string,
  campaignId: string,
  signatureIds: readonly string[],
): Promise<void> {
  await tx.query(sql`
    delete from campaign_signatures
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and not signature_id = any(${signatureIds}::uuid[])`)
  await tx.query(sql`
    insert into campaign_signatures (workspace_id, campaign_id, signature_id)
    select distinct ${workspaceId}::uuid, ${campaignId}::uuid, id from unnest(${signatureIds}::uuid[]) id
    on conflict do nothing`)
}

/** Locks and returns the campaigns that target only this signature. */
export const lockCampaignsOnlyFor = (tx: Db, workspaceId: string, signatureId: string) =>
  tx.query<StoredCampaign>(sql`
    select ${storedShape(workspaceId)} from marketing_campaigns c
    where c.workspace_id = ${workspaceId} and ${targets(workspaceId)} = array[${signatureId}::uuid]
      and exists (
        select from campaign_signatures t
        where t.workspace_id = ${workspaceId} and t.signature_id = ${signatureId} and t.campaign_id = c.id)
    order by c.id
    for no key update of c`)

/** Returns the ids that are not signatures. Locks the others, so they cannot be deleted before the transaction ends. */
export async function unknownSignatures(tx: Db, workspaceId: string, ids: readonly string[]) {
  const existing = await tx.column<string>(sql`
    select id from signatures where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
    order by id
    for key share`)
  return missingIds(ids, existing)
}

/** All recipients are recorded, so the campaign does not send mails again. */
export const markMailed = (db: Db, workspaceId: string, id: string) =>
  db.query(
    sql`update marketing_campaigns set mailed_at = ${new Date()} where workspace_id = ${workspaceId} and id = ${id}`,
  )

export const removeCampaign = (tx: Db, by: Caller, id: string) =>
  tx.query(
    audited(
      by,
      'marketing_campaign.deleted',
      sql`delete from marketing_campaigns where workspace_id = ${by.workspaceId} and id = ${id} returning id`,
    ),
  )

/** A live campaign without its contents. */
export interface RunningCampaign
  extends Pick<Campaign, 'id' | 'smart_fields_conditions' | 'signature_template_ids'> {
  readonly variants: readonly Pick<CampaignVariant, 'id' | 'weight'>[]
}

/** Time when a campaign started, or will start. */
const startTime = sql`case when c.status = 'scheduled' then c.start_time else c.started_at end`

/**
 * Ordered by start, newest first. For a given moment: the campaigns that were live then by their current data, or will
 * be live then if they are not changed.
 */
export const liveCampaigns = (db: Db, workspaceId: string, at: Date | null): Promise<RunningCampaign[]> => {
  const isLive =
    at === null
      ? sql`c.status = 'active'`
      : sql`c.status in ('scheduled', 'active', 'ended') and ${startTime} <= ${at}
          and (c.end_time is null or c.end_time > ${at})`
  return db.query(sql`
    select c.id, c.smart_fields_conditions, ${targets(workspaceId)} as signature_template_ids,
      (select coalesce(jsonb_agg(variant - 'content'), '[]') from jsonb_array_elements(c.variants) variant) as variants
    from marketing_campaigns c
    where c.workspace_id = ${workspaceId} and ${isLive}
    order by ${startTime} desc, c.id desc`)
}

interface OverlappingCampaign
  extends Pick<Campaign, 'id' | 'name' | 'status' | 'smart_fields_conditions' | 'signature_template_ids'> {
  /** It is shown in the place of the campaign with the given start. */
  readonly wins: boolean
}

/** Other campaigns that run at some time between `start` and `end`, in the order in which they win. */
export const overlappingCampaigns = (
  db: Db,
  workspaceId: string,
  id: string,
  start: Date,
  end: Date | null,
) =>
  db.query<OverlappingCampaign>(sql`
    select c.id, c.name, c.status, c.smart_fields_conditions, ${targets(workspaceId)} as signature_template_ids,
      (${startTime}, c.id) > (${start}::timestamptz, ${id}::uuid) as wins
    from marketing_campaigns c
    where c.workspace_id = ${workspaceId} and c.id <> ${id} and c.status in ('scheduled', 'active')
      and (c.end_time is null or c.end_time > ${start}) and (${end}::timestamptz is null or ${startTime} < ${end})
    order by ${startTime} desc, c.id desc`)

/** The contents of a campaign; empty when it was deleted. */
export async function bannerContents(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<Pick<Campaign, 'content' | 'variants'>> {
  const campaign = await db.first<Pick<Campaign, 'content' | 'variants'>>(
    sql`select content, variants from marketing_campaigns where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return campaign ?? { content: null, variants: [] }
}

/** The reached addresses in the shape of the API, in the given order. */
export const reachedPage = (
  db: Db,
  workspaceId: string,
  reached: readonly {
    readonly emailId: string
    readonly signatureId: string
    readonly variantId: string | null
  }[],
) =>
  db.query<object>(sql`
    select ${emailShape}, r.signature_id, r.variant_id
    from ${rows('r', [...reached.entries()], {
      position: ['int', ([position]) => position],
      email_id: ['uuid', ([, address]) => address.emailId],
      signature_id: ['uuid', ([, address]) => address.signatureId],
      variant_id: ['uuid', ([, address]) => address.variantId],
    })}
    join emails e on e.workspace_id = ${workspaceId} and e.id = r.email_id
    order by r.position`)
