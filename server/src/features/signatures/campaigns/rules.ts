import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Content, ContentReference } from '@signoff/render'
import { acceptContent, referencesOf, saveReferences } from '#features/content/content/index.ts'
import { saveCampaignLabels } from '#features/measurement/analytics/index.ts'
import {
  acceptConditions,
  type Conditions,
  fieldsIn,
  unknownFieldsIn,
} from '#features/signatures/recipients/index.ts'
import { announce, type EventType } from '#features/workspace/webhooks/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { propertyPicker, uuid } from '#kernel/api/validation.ts'
import { type Detail, detail, orNotFound, problemsThrownBy, validationError } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { isTimeZone } from '#kernel/db/text.ts'
import { type CampaignReach, reachOf } from './audience/reach.ts'
import { scheduleTransition } from './lifecycle/schedule.ts'
import { assertAllowed, type CampaignStatus, statusAt } from './lifecycle/states.ts'
import { readTime } from './lifecycle/times.ts'
import {
  type CampaignFields,
  findCampaign,
  insertCampaign,
  lockCampaign,
  removeCampaign,
  type StoredCampaign,
  saveTargets,
  unknownSignatures,
  updateCampaign,
} from './queries.ts'
import {
  type Campaign,
  CampaignInput,
  type CampaignPatch,
  type CampaignVariant,
  maxTargets,
  type VariantInput,
} from './schemas.ts'

/** Dependencies of campaigns on other features. */
export interface CampaignDeps {
  readonly now: () => Date
  /** Called in the transaction that changes which banners the addresses in `reaches` see. */
  readonly onBannersChange: (
    tx: Db,
    workspaceId: string,
    reaches: readonly CampaignReach[],
  ) => Promise<unknown>
  /** Called in the transaction in which a campaign with `send_email` goes live, unless its mails were already sent. */
  readonly onLive: (tx: Db, workspaceId: string, campaignId: string) => Promise<unknown>
}

/** The writable fields of a stored campaign, with times as dates. */
export const fieldsOf = (campaign: StoredCampaign): CampaignFields => ({
  name: campaign.name,
  status: campaign.status,
  sendEmail: campaign.send_email,
  content: campaign.content,
  variants: campaign.variants,
  conditions: campaign.smart_fields_conditions,
  start: campaign.start_time === null ? null : new Date(campaign.start_time),
  end: campaign.end_time === null ? null : new Date(campaign.end_time),
  timeZone: campaign.time_zone,
  startedAt: campaign.started_at,
  lostTargets: campaign.lost_targets,
})

const defaultFields: Omit<CampaignFields, 'name'> = {
  status: 'draft',
  sendEmail: false,
  content: null,
  variants: [],
  conditions: [],
  start: null,
  end: null,
  timeZone: 'UTC',
  startedAt: null,
  lostTargets: false,
}

interface AcceptedCampaign {
  readonly fields: CampaignFields
  readonly signatureIds: readonly string[]
}

/** Merges the input into the current fields. Throws one error with all problems. */
async function accept(
  tx: Db,
  workspaceId: string,
  input: CampaignPatch,
  current: AcceptedCampaign,
): Promise<AcceptedCampaign & { readonly references: readonly Pick<ContentReference, 'kind' | 'id'>[] }> {
  const problems: Detail[] = []
  const timeZone = input.time_zone ?? current.fields.timeZone
  if (!isTimeZone(timeZone))
    problems.push(
      detail('time_zone', 'invalid', { message: 'time_zone is not a time zone that the IANA names' }),
    )
  const readTimeField = (field: 'start_time' | 'end_time', previous: Date | null): Date | null => {
    const text = input[field]
    if (text === undefined) return previous
    if (text === null) return null
    const time = readTime(text, isTimeZone(timeZone) ? timeZone : 'UTC')
    if (time === undefined)
      problems.push(detail(field, 'invalid', { message: `${field} is not a date with a time` }))
    return time ?? null
  }
  const start = readTimeField('start_time', current.fields.start)
  const end = readTimeField('end_time', current.fields.end)
  if (start && end && end <= start)
    problems.push(detail('end_time', 'invalid', { message: 'end_time must be after start_time' }))

  const references: Pick<ContentReference, 'kind' | 'id'>[] = []
  const acceptTree = async (tree: Content | null, field: string): Promise<Content | null> => {
    if (tree === null) return null
    const accepted = await acceptContent(tx, workspaceId, tree, { field, isCampaign: true })
    references.push(...accepted.references)
    return accepted.content
  }
  let { content, variants, conditions } = current.fields
  problems.push(
    ...(await problemsThrownBy(async () => {
      if (input.content === undefined) references.push(...referencesOf(content))
      else content = await acceptTree(input.content, 'content')
    })),
    ...(await problemsThrownBy(async () => {
      if (input.variants) variants = await acceptVariants(input.variants, acceptTree)
      else references.push(...variants.flatMap(variant => referencesOf(variant.content)))
    })),
    ...(await problemsThrownBy(async () => {
      const sent = input.smart_fields_conditions
      if (sent) conditions = await acceptConditions(tx, workspaceId, sent, 'smart_fields_conditions')
    })),
  )
  const signatureIds = input.signature_template_ids?.map(id => id.toLowerCase())
  problems.push(...(await unknownTargets(tx, workspaceId, signatureIds ?? [])))
  if (problems.length > 0) throw validationError(problems)
  const { name = current.fields.name, send_email: sendEmail = current.fields.sendEmail } = input
  references.push(...fieldsIn(conditions as Conditions).map(id => ({ kind: 'smart_field', id }) as const))
  return {
    fields: {
      ...current.fields,
      ...{ name, sendEmail, content, variants, conditions, start, end, timeZone },
      lostTargets: current.fields.lostTargets && signatureIds === undefined,
    },
    signatureIds: signatureIds ?? current.signatureIds,
    references,
  }
}

async function acceptVariants(
  input: readonly VariantInput[],
  acceptTree: (tree: Content | null, field: string) => Promise<Content | null>,
): Promise<readonly CampaignVariant[]> {
  const problems: Detail[] = []
  const seenIds = new Set<string>()
  const accepted: CampaignVariant[] = []
  for (const [n, { id, name, content = null, weight = 1 }] of input.entries()) {
    const variantId = (id ?? randomUUID()).toLowerCase()
    if (seenIds.has(variantId)) problems.push(detail(`variants[${n}].id`, 'duplicate'))
    seenIds.add(variantId)
    problems.push(
      ...(await problemsThrownBy(async () => {
        const tree = await acceptTree(content, `variants[${n}].content`)
        accepted.push({ id: variantId, name, content: tree, weight })
      })),
    )
  }
  if (input.length > 0 && input.every(({ weight = 1 }) => weight === 0))
    problems.push(
      detail('variants', 'invalid', { message: 'variants must have a weight above 0 among them' }),
    )
  if (problems.length > 0) throw validationError(problems)
  return accepted
}

/** Items that are no UUIDs are left out. */
async function unknownTargets(tx: Db, workspaceId: string, sent: readonly unknown[]): Promise<Detail[]> {
  const ids = sent.map(id => (typeof id === 'string' && uuid.test(id) ? id.toLowerCase() : undefined))
  const unknownIds = new Set(
    await unknownSignatures(
      tx,
      workspaceId,
      ids.filter(id => id !== undefined),
    ),
  )
  return ids.flatMap((id, n) =>
    id !== undefined && unknownIds.has(id)
      ? [detail(`signature_template_ids[${n}]`, 'unknown_reference')]
      : [],
  )
}

const pickValid = propertyPicker(CampaignInput)

/**
 * The problems that the database knows, of a body with other problems. Of a property that does not match its schema,
 * only the references are looked at.
 */
export async function storedCampaignProblems(
  db: Db,
  workspaceId: string,
  body: object,
): Promise<readonly Detail[]> {
  const valid = pickValid(body)
  const sent: { readonly smart_fields_conditions?: unknown; readonly signature_template_ids?: unknown } = body
  const before = { fields: { ...defaultFields, name: '' }, signatureIds: [] }
  return db.transaction(async tx => {
    const problems = [...(await problemsThrownBy(() => accept(tx, workspaceId, valid, before)))]
    if (!('smart_fields_conditions' in valid))
      problems.push(
        ...(await unknownFieldsIn(tx, workspaceId, sent.smart_fields_conditions, 'smart_fields_conditions')),
      )
    if (!('signature_template_ids' in valid) && Array.isArray(sent.signature_template_ids))
      problems.push(
        ...(await unknownTargets(tx, workspaceId, sent.signature_template_ids.slice(0, maxTargets))),
      )
    return problems
  })
}

const holderOf = (id: string) => ({ kind: 'campaign', id, signatureId: null }) as const

export const createCampaign = async (db: Db, by: Caller, input: CampaignInput): Promise<Campaign> =>
  db.transaction(async tx => {
    const before = { fields: { ...defaultFields, name: input.name }, signatureIds: [] }
    const { fields, signatureIds, references } = await accept(tx, by.workspaceId, input, before)
    const campaign = await insertCampaign(tx, by, fields, signatureIds)
    await saveReferences(tx, by.workspaceId, holderOf(campaign.id), references)
    return campaign
  })

/** Applies a due start or end first, then the change. */
export async function changeCampaign(
  db: Db,
  by: Caller,
  id: string,
  patch: CampaignPatch,
  deps: CampaignDeps,
): Promise<Campaign> {
  const { workspaceId } = by
  if (Object.keys(patch).length === 0) return orNotFound(await findCampaign(db, workspaceId, id))
  return db.transaction(async tx => {
    const now = deps.now()
    // Lock signatures before the campaign, in the same order as the deletion of a signature does.
    await unknownSignatures(tx, workspaceId, patch.signature_template_ids ?? [])
    const before = orNotFound(await lockCampaign(tx, workspaceId, id))
    const current = advanceTo(fieldsOf(before), now)
    assertAllowed('change', current, now)
    const accepted = await accept(tx, workspaceId, patch, {
      fields: current,
      signatureIds: before.signature_template_ids,
    })
    const { start } = accepted.fields
    const isPostponed =
      current.status === 'active' && start !== null && start > now && +start !== +(current.start ?? 0)
    const postponement = { status: 'scheduled', startedAt: null } as const
    const fields = advanceTo({ ...accepted.fields, ...(isPostponed && postponement) }, now)
    await saveTargets(tx, workspaceId, before.id, accepted.signatureIds)
    await saveReferences(tx, workspaceId, holderOf(before.id), accepted.references)
    if (patch.variants) await saveCampaignLabels(tx, workspaceId, before.id)
    return saveAndNotify(tx, by, before, fields, 'updated', deps)
  })
}

/** Applies a start or end that is due at `now`. */
export function advanceTo(fields: CampaignFields, now: Date): CampaignFields {
  const status = statusAt(fields, now)
  if (status === fields.status) return fields
  return { ...fields, status, ...(status === 'active' && { startedAt: fields.start ?? now }) }
}

/** Saves the campaign, reports changed banners, enqueues mails when it goes live, and enqueues the next transition. */
export async function saveAndNotify(
  tx: Db,
  by: Caller,
  before: StoredCampaign,
  fields: CampaignFields,
  action: string,
  { onBannersChange, onLive }: CampaignDeps,
): Promise<Campaign> {
  const { workspaceId } = by
  const after = await updateCampaign(tx, by, before.id, fields, action)
  if (looksDifferent(before, after)) {
    const reaches = [before, after].filter(campaign => campaign.status === 'active').map(reachOf)
    if (reaches.length > 0) await onBannersChange(tx, workspaceId, withoutDuplicates(reaches))
  }
  await announceStatus(tx, workspaceId, before, after)
  const goesLive = after.status === 'active' && before.status !== 'active'
  if (goesLive && after.send_email && before.mailed_at === null) await onLive(tx, workspaceId, before.id)
  await scheduleTransition(tx, workspaceId, before.id, fields)
  return after
}

const eventOf: Readonly<Partial<Record<CampaignStatus, EventType>>> = {
  active: 'marketing_campaign.started',
  paused: 'marketing_campaign.paused',
  ended: 'marketing_campaign.ended',
}

async function announceStatus(tx: Db, workspaceId: string, before: Campaign, after: Campaign): Promise<void> {
  const event = before.status === after.status ? undefined : eventOf[after.status]
  const { id, name, status } = after
  if (event) await announce(tx, workspaceId, event, [{ id, name, status, previous_status: before.status }])
}

/** True if an address can see another banner than before. */
const looksDifferent = (before: Campaign, after: Campaign): boolean =>
  (['status', 'content', 'variants', 'smart_fields_conditions', 'signature_template_ids'] as const).some(
    key => !isDeepStrictEqual(before[key], after[key]),
  )

const withoutDuplicates = (reaches: readonly CampaignReach[]): readonly CampaignReach[] =>
  reaches.filter((reach, n) => !reaches.slice(0, n).some(other => isDeepStrictEqual(other, reach)))

/** Reports the addresses of a live campaign first, because their banner changes. */
export async function deleteCampaign(db: Db, by: Caller, id: string, deps: CampaignDeps): Promise<void> {
  const { workspaceId } = by
  await db.transaction(async tx => {
    const campaign = orNotFound(await lockCampaign(tx, workspaceId, id))
    if (campaign.status === 'active') await deps.onBannersChange(tx, workspaceId, [reachOf(campaign)])
    await saveReferences(tx, workspaceId, holderOf(campaign.id), [])
    await saveCampaignLabels(tx, workspaceId, campaign.id)
    await removeCampaign(tx, by, campaign.id)
    const { name, status } = campaign
    if (status === 'active')
      await announce(tx, workspaceId, 'marketing_campaign.ended', [
        { id: campaign.id, name, status: 'ended', previous_status: status, deleted: true },
      ])
  })
}
