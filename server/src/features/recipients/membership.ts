// Keeps membership current: called in the transaction of every change that can move people in or out.

import { smartFieldsOf } from '#features/smart-fields/index.ts'
import type { Db } from '#kernel/db.ts'
import { TimeSlice } from '#kernel/time-slice.ts'
import { type Conditions, compileConditions, fieldsIn } from './conditions.ts'
import {
  addressesOf,
  addToFuture,
  deleteUnreached,
  lockMembership,
  type RuleSubject,
  ruleSubjectsAfter,
  ruleSubjectsOf,
  rulesOf,
  saveEntityRecipients,
} from './queries.ts'
import { type RuleMatches, saveRuleMatches } from './rule-matches/queries.ts'

/** How many pairs of a signature and an address are held in memory and written in one statement. */
const mostPairs = 5_000

/** Teammates were made, changed or deleted, or got or lost addresses. */
export async function refreshTeammates(
  tx: Db,
  workspaceId: string,
  teammateIds: readonly string[],
  newEmailIds: readonly string[] = [],
): Promise<void> {
  if (teammateIds.length === 0) return
  await lockMembership(tx, workspaceId, 'shared')
  const addresses = await addressesOf(tx, workspaceId, teammateIds)
  const gone = addresses.filter(one => one.is_gone).map(one => one.id)
  const living = addresses.filter(one => !one.is_gone).map(one => one.id)
  if (gone.length > 0) await deleteUnreached(tx, workspaceId, gone)
  if (newEmailIds.length > 0) await addToFuture(tx, workspaceId, newEmailIds)
  await saveEntityRecipients(tx, workspaceId, living)
  const rules = await rulesOf(tx, workspaceId)
  if (rules.length === 0) return
  const fieldIds = [...new Set(rules.flatMap(rule => fieldsIn(rule.conditions)))]
  const addressees = await ruleSubjectsOf(tx, workspaceId, teammateIds, fieldIds)
  const readerOf = await reader(tx, workspaceId)
  const emailIds = addressees.map(one => one.id)
  const slice = new TimeSlice()
  let judged: RuleMatches[] = []
  // One rule at a time: what a large one is compiled to takes some megabytes.
  for (const { signature_id: signatureId, conditions } of rules) {
    const test = compileConditions(conditions)
    const chosen: string[] = []
    for (const addressee of addressees) {
      if (await test(readerOf(addressee), slice)) chosen.push(addressee.id)
      await slice.pause()
    }
    judged.push({ signatureId, emailIds: chosen })
    if (judged.length * addressees.length < mostPairs) continue
    await saveRuleMatches(tx, workspaceId, emailIds, judged)
    judged = []
  }
  if (judged.length > 0) await saveRuleMatches(tx, workspaceId, emailIds, judged)
}

/** The address in use is a smart field too, computed from each address. */
async function reader(tx: Db, workspaceId: string) {
  const computed = new Set(
    (await smartFieldsOf(tx, workspaceId)).filter(field => field.computed).map(field => field.id),
  )
  return ({ address_key, values }: RuleSubject) =>
    (fieldId: string): string =>
      computed.has(fieldId) ? address_key : (values[fieldId] ?? '')
}

const first = '00000000-0000-0000-0000-000000000000'

/** The rules of a signature were changed; the lock on membership is held alone. */
export async function refreshSignature(
  tx: Db,
  workspaceId: string,
  signatureId: string,
  conditions: Conditions,
): Promise<void> {
  const test = compileConditions(conditions)
  const fields = fieldsIn(conditions)
  const readerOf = await reader(tx, workspaceId)
  const slice = new TimeSlice()
  for (let after = first; ; ) {
    const addressees = await ruleSubjectsAfter(tx, workspaceId, after, fields, mostPairs)
    const last = addressees.at(-1)
    if (!last) return
    const chosen: string[] = []
    for (const addressee of addressees) {
      if (await test(readerOf(addressee), slice)) chosen.push(addressee.id)
      await slice.pause()
    }
    const emailIds = addressees.map(one => one.id)
    await saveRuleMatches(tx, workspaceId, emailIds, [{ signatureId, emailIds: chosen }])
    after = last.id
  }
}
