import { type Caller, operator } from '#kernel/api/scopes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { type CampaignFields, lockCampaign, lockCampaignsOnlyFor, lockDueCampaigns } from '../queries.ts'
import { advanceTo, type CampaignDeps, fieldsOf, saveAndNotify } from '../rules.ts'
import type { Campaign } from '../schemas.ts'
import { assertAllowed, type CampaignAction, type CampaignStatus, statusWhenScheduled } from './states.ts'

type Action = Exclude<CampaignAction, 'change'>

const changesBy: Readonly<Record<Action, (fields: CampaignFields, now: Date) => Partial<CampaignFields>>> = {
  schedule(fields, now) {
    const status = statusWhenScheduled(fields, now)
    return { status, startedAt: status === 'active' ? now : null }
  },
  pause: () => ({ status: 'paused' }),
  // Keeps the old start time, so a campaign that started in the meantime still takes precedence.
  resume: ({ startedAt }, now) => ({ status: 'active', startedAt: startedAt ?? now }),
  // An end before the start would be refused by the next change.
  end: ({ start, end }, now) => ({ status: 'ended', end: start === null || start < now ? now : end }),
}
const auditActions: Readonly<Record<Action, string>> = {
  schedule: 'scheduled',
  pause: 'paused',
  resume: 'resumed',
  end: 'ended',
}

export type CampaignStart = 'schedule' | 'resume'

export const fieldsAfter = (action: Action, fields: CampaignFields, now: Date): CampaignFields => ({
  ...fields,
  ...changesBy[action](fields, now),
})

export const performAction = async (
  db: Db,
  by: Caller,
  id: string,
  action: Action,
  deps: CampaignDeps,
): Promise<Campaign> =>
  db.transaction(async tx => {
    const now = deps.now()
    const before = orNotFound(await lockCampaign(tx, by.workspaceId, id))
    const fields = advanceTo(fieldsOf(before), now)
    assertAllowed(action, fields, now)
    return saveAndNotify(tx, by, before, fieldsAfter(action, fields, now), auditActions[action], deps)
  })

const transitionActions: Readonly<Partial<Record<CampaignStatus, string>>> = {
  active: 'started',
  ended: 'ended',
}

/** Applies all due starts and ends in a workspace, in one transaction. */
export async function applyDueTransitions(db: Db, workspaceId: string, deps: CampaignDeps): Promise<void> {
  await db.transaction(async tx => {
    const now = deps.now()
    for (const before of await lockDueCampaigns(tx, workspaceId, now)) {
      const fields = advanceTo(fieldsOf(before), now)
      await saveAndNotify(
        tx,
        operator(workspaceId),
        before,
        fields,
        transitionActions[fields.status] ?? 'updated',
        deps,
      )
    }
  })
}

/**
 * Run this before a signature is deleted. A campaign that targets only this signature must not become a campaign for
 * all signatures: it is paused if it runs, and targets no address until new signatures are set.
 */
export async function pauseCampaignsOnlyFor(
  tx: Db,
  by: Caller,
  signatureId: string,
  deps: CampaignDeps,
): Promise<void> {
  for (const campaign of await lockCampaignsOnlyFor(tx, by.workspaceId, signatureId)) {
    const fields = advanceTo(fieldsOf(campaign), deps.now())
    const isRunning = fields.status === 'active' || fields.status === 'scheduled'
    const status = isRunning ? 'paused' : fields.status
    const action = isRunning ? auditActions.pause : 'updated'
    await saveAndNotify(tx, by, campaign, { ...fields, status, lostTargets: true }, action, deps)
  }
}
