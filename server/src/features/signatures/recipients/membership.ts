// Keeps the table `recipients` current. Every change that can add or remove recipients calls this in its transaction.

import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { TimeSlice } from '#kernel/base/time-slice.ts'
import type { Db } from '#kernel/db/db.ts'
import { type Conditions, compileConditions, fieldsIn } from './conditions.ts'
import {
  addByEverybody,
  addNewAddresses,
  addressesOf,
  deleteRecipientsOf,
  lockMembership,
  type RuleSubject,
  removeByEverybody,
  ruleSubjectsAfter,
  ruleSubjectsOf,
  rulesOf,
  saveEntityRecipients,
} from './queries.ts'
import { type RuleMatches, saveRuleMatches } from './rule-matches/queries.ts'

/** The maximum number of (signature, address) pairs in memory and in one statement. */
const maxPairs = 5_000

/** Call after teammates were created, changed or deleted, or after they got or lost addresses. */
export async function refreshTeammates(
  tx: Db,
  workspaceId: string,
  teammateIds: readonly string[],
  newEmailIds: readonly string[] = [],
): Promise<void> {
  if (teammateIds.length === 0) return
  await lockMembership(tx, workspaceId, 'shared')
  const addresses = await addressesOf(tx, workspaceId, teammateIds)
  const deleted = addresses.filter(address => address.is_gone).map(address => address.id)
  const active = addresses.filter(address => !address.is_gone).map(address => address.id)
  if (deleted.length > 0) await deleteRecipientsOf(tx, workspaceId, deleted)
  if (newEmailIds.length > 0) await addNewAddresses(tx, workspaceId, newEmailIds)
  await saveEntityRecipients(tx, workspaceId, active)
  const rules = await rulesOf(tx, workspaceId)
  if (rules.length === 0) return
  const fieldIds = [...new Set(rules.flatMap(rule => fieldsIn(rule.conditions)))]
  const subjects = await ruleSubjectsOf(tx, workspaceId, teammateIds, fieldIds)
  const readerOf = await createReader(tx, workspaceId)
  const emailIds = subjects.map(subject => subject.id)
  const slice = new TimeSlice()
  let pendingMatches: RuleMatches[] = []
  // One rule at a time: a large compiled rule takes some megabytes.
  for (const { signature_id: signatureId, conditions } of rules) {
    const test = compileConditions(conditions)
    const chosen: string[] = []
    for (const subject of subjects) {
      if (await test(readerOf(subject), slice)) chosen.push(subject.id)
      await slice.pause()
    }
    pendingMatches.push({ signatureId, emailIds: chosen })
    if (pendingMatches.length * subjects.length < maxPairs) continue
    await saveRuleMatches(tx, workspaceId, emailIds, pendingMatches)
    pendingMatches = []
  }
  if (pendingMatches.length > 0) await saveRuleMatches(tx, workspaceId, emailIds, pendingMatches)
}

/** The email address is a smart field too, computed for each address. */
async function createReader(tx: Db, workspaceId: string) {
  const computed = new Set(
    (await smartFieldsOf(tx, workspaceId)).filter(field => field.computed).map(field => field.id),
  )
  return ({ address_key, values }: RuleSubject) =>
    (fieldId: string): string =>
      computed.has(fieldId) ? address_key : (values[fieldId] ?? '')
}

const lowestUuid = '00000000-0000-0000-0000-000000000000'

/** Call after the rules of a signature changed, while the exclusive membership lock is held. */
export async function refreshSignature(
  tx: Db,
  workspaceId: string,
  signatureId: string,
  conditions: Conditions,
): Promise<void> {
  const test = compileConditions(conditions)
  const fields = fieldsIn(conditions)
  const readerOf = await createReader(tx, workspaceId)
  const slice = new TimeSlice()
  for (let after = lowestUuid; ; ) {
    const subjects = await ruleSubjectsAfter(tx, workspaceId, after, fields, maxPairs)
    const last = subjects.at(-1)
    if (!last) return
    const chosen: string[] = []
    for (const subject of subjects) {
      if (await test(readerOf(subject), slice)) chosen.push(subject.id)
      await slice.pause()
    }
    const emailIds = subjects.map(subject => subject.id)
    await saveRuleMatches(tx, workspaceId, emailIds, [{ signatureId, emailIds: chosen }])
    after = last.id
  }
}

/** Counts the addresses of active people that match these conditions now, and lists the first of them. Reads only. */
export async function matchesOf(
  db: Db,
  workspaceId: string,
  conditions: Conditions,
  firstCount: number,
): Promise<{ readonly count: number; readonly first: readonly string[] }> {
  const test = compileConditions(conditions)
  const fields = fieldsIn(conditions)
  const readerOf = await createReader(db, workspaceId)
  const slice = new TimeSlice()
  const first: string[] = []
  let count = 0
  for (let after = lowestUuid; ; ) {
    const subjects = await ruleSubjectsAfter(db, workspaceId, after, fields, maxPairs, 'active')
    const last = subjects.at(-1)
    if (!last) return { count, first }
    for (const subject of subjects) {
      if (await test(readerOf(subject), slice)) {
        count += 1
        if (first.length < firstCount) first.push(subject.id)
      }
      await slice.pause()
    }
    after = last.id
  }
}

/** Call after `everybody` was set or cleared for a signature, while the exclusive membership lock is held. */
export async function refreshEverybody(
  tx: Db,
  workspaceId: string,
  signatureId: string,
  isEverybody: boolean,
): Promise<void> {
  const save = isEverybody ? addByEverybody : removeByEverybody
  for (let after = lowestUuid; ; ) {
    const addresses = await ruleSubjectsAfter(tx, workspaceId, after, [], maxPairs)
    const last = addresses.at(-1)
    if (!last) return
    await save(
      tx,
      workspaceId,
      signatureId,
      addresses.map(address => address.id),
    )
    after = last.id
  }
}
