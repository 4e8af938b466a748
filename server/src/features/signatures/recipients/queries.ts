import { emailShape, inactiveAddresses, isOfActivePerson } from '#features/workspace/emails/index.ts'
import { type ListResult, limitOffset, listAsJson, type PageQuery } from '#kernel/api/pagination.ts'
import { missingIds } from '#kernel/base/ids.ts'
import { composed, type Db, empty, type Sql, sql } from '#kernel/db/db.ts'
import { locks, namedLock } from '#kernel/db/locks.ts'
import type { Conditions } from './conditions.ts'
import type { Candidate } from './precedence.ts'
import type { Selection } from './schemas.ts'

/** The reasons why a row `r` is a recipient. */
const sources = sql`(
  select coalesce(json_agg(source), '[]') from (
    select json_build_object('kind', kind) as source
    from (values ('manual', r.by_hand), ('smart_field', r.by_rule)) as reason (kind, applies) where applies
    union all select json_build_object('kind', 'integration_entity', 'id', entity) from unnest(r.entity_ids) entity
    union all select json_build_object('kind', kind)
    from (values ('all_future', r.by_future), ('everybody', r.by_everybody)) as reason (kind, applies) where applies
  ) reasons)`

/**
 * With several channels, the status that needs attention most. The personal page waits for a person, so its status
 * counts only where no other channel installs. So does Outlook or the relay that waits for the next mail.
 */
const installationStatus = (workspaceId: string): Sql => sql`(
  select i.status from installations i
  where i.workspace_id = ${workspaceId} and i.signature_id = r.signature_id and i.email_id = r.email_id
  order by i.status = 'uninstalled', i.channel = 'personal_page', i.status = 'pending' and i.channel in ('microsoft_365', 'smtp_relay'), array_position(array['failed', 'drifted', 'pending', 'installed'], i.status)
  limit 1)`

/** Rows `r` that `matching` selects, without those of inactive people. */
const countActive = (workspaceId: string, matching: Sql): Sql => sql`
  (select count(*) ${matching}) - (
    select count(*) from (${inactiveAddresses(workspaceId)}) inactive
    cross join lateral (select ${matching} and r.email_id = inactive.id offset 0) r)`

export function listRecipients(
  db: Db,
  workspaceId: string,
  signatureId: string,
  page: PageQuery,
  status?: string,
): Promise<ListResult> {
  const statusFilter = status === undefined ? empty : sql`and ${installationStatus(workspaceId)} = ${status}`
  const matching = sql`from recipients r where r.workspace_id = ${workspaceId} and r.signature_id = ${signatureId} ${statusFilter}`
  return listAsJson(
    db,
    page,
    sql`
      select ${emailShape}, ${sources} as sources, ${installationStatus(workspaceId)} as installation_status
      from (
        select * ${matching} and ${isOfActivePerson(workspaceId, sql`r.email_id`)}
        order by email_id desc ${limitOffset(page)}
      ) r
      cross join lateral (select * from emails where workspace_id = ${workspaceId} and id = r.email_id and deleted_at is null offset 0) e
      order by e.id desc`,
    sql`select ${countActive(workspaceId, matching)} as count`,
  )
}

export async function findSelection(
  db: Db,
  workspaceId: string,
  signatureId: string,
): Promise<Selection | undefined> {
  const all = sql`from recipients r where r.workspace_id = ${workspaceId} and r.signature_id = ${signatureId}`
  return db.first<Selection>(sql`
    select
      (${countActive(workspaceId, sql`${all} and r.by_hand`)})::int as email_ids_count,
      (${countActive(workspaceId, all)})::int as matching_emails_count,
      array(select entity_id from recipient_entities x
        where x.workspace_id = ${workspaceId} and x.signature_id = s.id order by entity_id) as integration_entity_ids,
      coalesce(rules.conditions, '[]') as conditions,
      coalesce(rules.assign_to_all_future_emails, false) as assign_to_all_future_emails,
      coalesce(rules.everybody, false) as everybody
    from signatures s
    left join recipient_rules rules on rules.workspace_id = s.workspace_id and rules.signature_id = s.id
    where s.workspace_id = ${workspaceId} and s.id = ${signatureId}`)
}

/**
 * Transactions that change people write membership concurrently (shared lock); a transaction that changes a rule takes
 * the lock exclusively. So neither misses a change that the other has just made.
 */
export const lockMembership = (tx: Db, workspaceId: string, mode: 'shared' | 'alone') =>
  tx.query(
    mode === 'alone'
      ? sql`select pg_advisory_xact_lock(${namedLock(locks.recipients, workspaceId)})`
      : sql`select pg_advisory_xact_lock_shared(${namedLock(locks.recipients, workspaceId)})`,
  )

/** The ids that do not belong to an existing address. */
export async function unknownEmails(tx: Db, workspaceId: string, ids: readonly string[]) {
  const existing = await tx.column<string>(sql`
    select id from emails
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and deleted_at is null
    order by id
    for share`) // not `for key share`: deleting an address only sets deleted_at, which key share does not block
  return missingIds(ids, existing)
}

export async function unknownEntities(tx: Db, workspaceId: string, ids: readonly string[]) {
  const existing = await tx.column<string>(sql`
    select e.id from integration_entities e
    join integrations i on i.workspace_id = e.workspace_id and i.id = e.integration_id and i.deleted_at is null
    where e.workspace_id = ${workspaceId} and e.id = any(${ids}::uuid[])`)
  return missingIds(ids, existing)
}

const chosenRows = (workspaceId: string, signatureId: string, emailIds: readonly string[]): Sql =>
  sql`workspace_id = ${workspaceId} and signature_id = ${signatureId} and email_id = any(${emailIds}::uuid[])`

export const addByHand = (tx: Db, workspaceId: string, signatureId: string, emailIds: readonly string[]) =>
  tx.query(sql`
    insert into recipients as r (workspace_id, signature_id, email_id, by_hand)
    select ${workspaceId}::uuid, ${signatureId}::uuid, id, true from unnest(${emailIds}::uuid[]) id
    group by id order by id
    on conflict (workspace_id, signature_id, email_id) do update set by_hand = true where not r.by_hand`)

/** Removes `by_hand` and `by_future`. A recipient by rule, by directory entity or as everybody stays. */
export async function removeByHand(
  tx: Db,
  workspaceId: string,
  signatureId: string,
  emailIds: readonly string[],
): Promise<void> {
  const chosen = chosenRows(workspaceId, signatureId, emailIds)
  await tx.query(
    sql`update recipients set by_hand = false, by_future = false where ${chosen} and (by_hand or by_future)`,
  )
  await deleteWithoutSource(tx, chosen)
}

/** Deletes rows that have no reason left. */
export const deleteWithoutSource = (tx: Db, chosen: Sql) =>
  tx.query(sql`
    delete from recipients
    where ${chosen} and not by_hand and not by_future and not by_rule and not by_everybody and entity_ids = '{}'`)

/** The way in which the rules of a signature choose addresses. */
interface RecipientChoice {
  readonly conditions: Conditions
  readonly assign_to_all_future_emails: boolean
  readonly everybody: boolean
}

export const saveRules = (
  tx: Db,
  workspaceId: string,
  signatureId: string,
  { conditions, assign_to_all_future_emails: future, everybody }: RecipientChoice,
) =>
  tx.query(sql`
    insert into recipient_rules (workspace_id, signature_id, conditions, assign_to_all_future_emails, everybody)
    values (${workspaceId}, ${signatureId}, ${JSON.stringify(conditions)}, ${future}, ${everybody})
    on conflict (workspace_id, signature_id) do update
      set conditions = excluded.conditions, assign_to_all_future_emails = excluded.assign_to_all_future_emails,
        everybody = excluded.everybody`)

export interface Rule {
  readonly signature_id: string
  readonly conditions: Conditions
}

export const rulesOf = (db: Db, workspaceId: string) =>
  db.query<Rule>(sql`
    select signature_id, conditions from recipient_rules
    where workspace_id = ${workspaceId} and conditions <> '[]'
    order by signature_id`)

/** An address with the values that the rules need. */
export interface RuleSubject {
  readonly id: string
  readonly address_key: string
  /** Values by smart field, normalized for comparison. */
  readonly values: Readonly<Record<string, string>>
}

const subjectColumns = (workspaceId: string, fieldIds: readonly string[]): Sql => sql`
  e.id, e.address_key, coalesce((
    select jsonb_object_agg(v.smart_field_id, v.value_key) from smart_field_values v
    where v.workspace_id = ${workspaceId} and v.teammate_id = e.teammate_id
      and v.smart_field_id = any(${fieldIds}::uuid[])), '{}') as values`

export const ruleSubjectsOf = (
  db: Db,
  workspaceId: string,
  teammateIds: readonly string[],
  fieldIds: readonly string[],
) =>
  db.query<RuleSubject>(
    composed(sql`
      select ${subjectColumns(workspaceId, fieldIds)} from emails e
      where e.workspace_id = ${workspaceId} and e.teammate_id = any(${teammateIds}::uuid[]) and e.deleted_at is null
      order by e.id`),
  )

/** One batch of all addresses of a workspace, in id order. */
export const ruleSubjectsAfter = (
  db: Db,
  workspaceId: string,
  after: string,
  fieldIds: readonly string[],
  count: number,
  people: 'all' | 'active' = 'all',
) =>
  db.query<RuleSubject>(sql`
    select ${subjectColumns(workspaceId, fieldIds)} from emails e
    where e.workspace_id = ${workspaceId} and e.id > ${after} and e.deleted_at is null and (${people === 'all'} or (
      select t.active from teammates t where t.workspace_id = ${workspaceId} and t.id = e.teammate_id))
    order by e.id limit ${count}`)

/** Updates the recipients by directory entity for these addresses. */
export async function saveEntityRecipients(
  tx: Db,
  workspaceId: string,
  emailIds: readonly string[],
): Promise<void> {
  const assignment = await tx.first(
    sql`select from recipient_entities where workspace_id = ${workspaceId} limit 1`,
  )
  const recipientRows = sql`email_id = any(${emailIds}::uuid[])`
  if (assignment)
    await saveEntitiesWhere(tx, workspaceId, sql`e.id = any(${emailIds}::uuid[])`, recipientRows)
}

export const saveEntityRecipientsOf = (tx: Db, workspaceId: string, signatureId: string) =>
  saveEntitiesWhere(tx, workspaceId, sql`x.signature_id = ${signatureId}`, sql`signature_id = ${signatureId}`)

async function saveEntitiesWhere(tx: Db, workspaceId: string, members: Sql, rows: Sql): Promise<void> {
  const assigned = sql`
    select x.signature_id, e.id as email_id, array_agg(x.entity_id order by x.entity_id) as entity_ids
    from recipient_entities x
    join integration_entity_members m on m.workspace_id = x.workspace_id and m.entity_id = x.entity_id
    join emails e on e.workspace_id = m.workspace_id and e.teammate_id = m.teammate_id and e.deleted_at is null
    where x.workspace_id = ${workspaceId} and ${members}
    group by x.signature_id, e.id`
  const chosen = sql`workspace_id = ${workspaceId} and ${rows}`
  await tx.query(sql`
    update recipients set entity_ids = '{}'
    where ${chosen} and entity_ids <> '{}'
      and not (signature_id, email_id) in (select signature_id, email_id from (${assigned}) w)`)
  await tx.query(sql`
    insert into recipients as r (workspace_id, signature_id, email_id, entity_ids)
    select ${workspaceId}::uuid, w.signature_id, w.email_id, w.entity_ids from (${assigned}) w
    order by w.signature_id, w.email_id
    on conflict (workspace_id, signature_id, email_id) do update set entity_ids = excluded.entity_ids
      where r.entity_ids <> excluded.entity_ids`)
  await deleteWithoutSource(tx, chosen)
}

/** Adds new addresses to the signatures with `assign_to_all_future_emails` or `everybody`. */
export const addNewAddresses = (tx: Db, workspaceId: string, emailIds: readonly string[]) =>
  tx.query(sql`
    insert into recipients as r (workspace_id, signature_id, email_id, by_future, by_everybody)
    select ${workspaceId}::uuid, rules.signature_id, id, rules.assign_to_all_future_emails, rules.everybody
    from recipient_rules rules, unnest(${emailIds}::uuid[]) id
    where rules.workspace_id = ${workspaceId} and (rules.assign_to_all_future_emails or rules.everybody)
    order by rules.signature_id, id
    on conflict (workspace_id, signature_id, email_id) do update
      set by_future = r.by_future or excluded.by_future, by_everybody = r.by_everybody or excluded.by_everybody`)

export const addByEverybody = (
  tx: Db,
  workspaceId: string,
  signatureId: string,
  emailIds: readonly string[],
) =>
  tx.query(sql`
    insert into recipients as r (workspace_id, signature_id, email_id, by_everybody)
    select ${workspaceId}::uuid, ${signatureId}::uuid, id, true from unnest(${emailIds}::uuid[]) id
    order by id
    on conflict (workspace_id, signature_id, email_id) do update set by_everybody = true where not r.by_everybody`)

export async function removeByEverybody(
  tx: Db,
  workspaceId: string,
  signatureId: string,
  emailIds: readonly string[],
): Promise<void> {
  const chosen = chosenRows(workspaceId, signatureId, emailIds)
  await tx.query(sql`update recipients set by_everybody = false where ${chosen} and by_everybody`)
  await deleteWithoutSource(tx, chosen)
}

/**
 * All addresses of these teammates, including deleted ones. Planned anew for each execution (`composed`): PostgreSQL then
 * knows the list and hashes it; a prepared plan goes through the list for each address of the workspace.
 */
export const addressesOf = (db: Db, workspaceId: string, teammateIds: readonly string[]) =>
  db.query<{ readonly id: string; readonly is_gone: boolean }>(
    composed(sql`
      select id, false as is_gone from emails
      where workspace_id = ${workspaceId} and teammate_id = any(${teammateIds}::uuid[]) and deleted_at is null
      union all
      select id, true from emails
      where workspace_id = ${workspaceId} and teammate_id = any(${teammateIds}::uuid[]) and deleted_at is not null`),
  )

/** Removes deleted addresses from all signatures. */
export const deleteRecipientsOf = (tx: Db, workspaceId: string, emailIds: readonly string[]) =>
  tx.query(
    sql`delete from recipients where workspace_id = ${workspaceId} and email_id = any(${emailIds}::uuid[])`,
  )

export const addEntities = (tx: Db, workspaceId: string, signatureId: string, entityIds: readonly string[]) =>
  tx.query(sql`
    insert into recipient_entities (workspace_id, signature_id, entity_id)
    select distinct ${workspaceId}::uuid, ${signatureId}::uuid, id from unnest(${entityIds}::uuid[]) id
    on conflict do nothing`)

export const removeEntity = (tx: Db, workspaceId: string, signatureId: string, entityId: string) =>
  tx.query(sql`
    delete from recipient_entities
    where workspace_id = ${workspaceId} and signature_id = ${signatureId} and entity_id = ${entityId}`)

/** A candidate with the reasons why it reaches the address. */
interface ReachingSignature extends Candidate {
  readonly sources: readonly object[]
}

/** All signatures of the workspace as candidates, as if they all reached one address. */
export const allCandidates = (db: Db, workspaceId: string) =>
  db.query<Candidate>(sql`
    select id as signature_id, name, priority, signature_installation_activated as is_activated, content is not null as is_published,
      '{}'::jsonb as variants
    from signatures where workspace_id = ${workspaceId}`)

/** Recipients `r` of a signature that no signature of `preferred` reaches, without inactive people. */
export const chosenRecipients = (
  workspaceId: string,
  signatureId: string,
  preferred: readonly string[],
): Sql => sql`
  from recipients r
  join emails e on e.workspace_id = r.workspace_id and e.id = r.email_id and e.deleted_at is null
  join teammates owner on owner.workspace_id = e.workspace_id and owner.id = e.teammate_id and owner.active
  where r.workspace_id = ${workspaceId} and r.signature_id = ${signatureId} and not exists (
    select from recipients other
    where other.workspace_id = r.workspace_id and other.email_id = r.email_id and other.signature_id = any(${preferred}::uuid[]))`

export const countChosen = (db: Db, workspaceId: string, signatureId: string, preferred: readonly string[]) =>
  db.number(sql`select count(*)::int as n ${chosenRecipients(workspaceId, signatureId, preferred)}`)

/** People who are inactive keep their memberships, but get no signature. */
const ofActivePeople = sql`
  join emails e on e.workspace_id = r.workspace_id and e.id = r.email_id
  join teammates t on t.workspace_id = e.workspace_id and t.id = e.teammate_id and t.active`

/** The signatures that reach an address. */
export const candidatesFor = (db: Db, workspaceId: string, emailId: string) =>
  db.query<ReachingSignature>(sql`
    select s.id as signature_id, s.name, s.priority, s.signature_installation_activated as is_activated,
      s.content is not null as is_published, ${sources} as sources,
      coalesce((
        select jsonb_object_agg(v.kind, jsonb_build_object(
          'activated', v.activated, 'hidden', v.hidden, 'is_published', v.content is not null))
        from signature_variants v where v.workspace_id = ${workspaceId} and v.signature_id = s.id), '{}') as variants
    from recipients r ${ofActivePeople}
    join signatures s on s.workspace_id = r.workspace_id and s.id = r.signature_id
    where r.workspace_id = ${workspaceId} and r.email_id = ${emailId}`)

/** The same for many addresses, without variants and reasons: enough for new mail. */
export async function candidatesForMany(
  db: Db,
  workspaceId: string,
  emailIds: readonly string[],
): Promise<Map<string, Candidate[]>> {
  const rows = await db.query<Candidate & { readonly email_ids: string }>(sql`
    select s.id as signature_id, s.name, s.priority, s.signature_installation_activated as is_activated,
      s.content is not null as is_published, '{}'::jsonb as variants, string_agg(r.email_id::text, ' ') as email_ids
    from recipients r ${ofActivePeople}
    join signatures s on s.workspace_id = r.workspace_id and s.id = r.signature_id
    where r.workspace_id = ${workspaceId} and r.email_id = any(${emailIds}::uuid[])
    group by s.workspace_id, s.id`)
  const candidates = new Map<string, Candidate[]>()
  for (const { email_ids, ...candidate } of rows)
    for (const emailId of email_ids.split(' ')) {
      const list = candidates.get(emailId)
      if (list) list.push(candidate)
      else candidates.set(emailId, [candidate])
    }
  return candidates
}
