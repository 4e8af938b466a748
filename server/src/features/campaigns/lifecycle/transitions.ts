import type { Db } from '#kernel/db.ts'
import { orNotFound } from '#kernel/errors.ts'
import { type Caller, operator } from '#kernel/scopes.ts'
import {
  type Campaign,
  type CampaignFields,
  lockCampaign,
  lockDueCampaigns,
  lockOnlyFor,
} from '../queries.ts'
import { advancedTo, type CampaignDeps, fieldsOf, saveAndNotify } from '../rules.ts'
import { assertAllowed, type CampaignAction, type CampaignStatus, statusWhenScheduled } from './states.ts'

type Action = Exclude<CampaignAction, 'change'>

const changesBy: Readonly<Record<Action, (fields: CampaignFields, now: Date) => Partial<CampaignFields>>> = {
  schedule(fields, now) {
    const status = statusWhenScheduled(fields, now)
    return { status, startedAt: status === 'active' ? now : null }
  },
  pause: () => ({ status: 'paused' }),
  // It goes on where it was: it does not push aside what started meanwhile.
  resume: ({ startedAt }, now) => ({ status: 'active', startedAt: startedAt ?? now }),
}
const auditActions: Readonly<Record<Action, string>> = {
  schedule: 'scheduled',
  pause: 'paused',
  resume: 'resumed',
}

export async function performAction(
  db: Db,
  by: Caller,
  id: string,
  action: Action,
  deps: CampaignDeps,
): Promise<Campaign> {
  return db.transaction(async tx => {
    const now = deps.now()
    const before = orNotFound(await lockCampaign(tx, by.workspaceId, id))
    const fields = advancedTo(fieldsOf(before), now)
    assertAllowed(action, fields, now)
    return saveAndNotify(
      tx,
      by,
      before,
      { ...fields, ...changesBy[action](fields, now) },
      auditActions[action],
      deps,
    )
  })
}

const transitionActions: Readonly<Partial<Record<CampaignStatus, string>>> = {
  active: 'started',
  ended: 'ended',
}

/** What time has done to the campaigns of a workspace since somebody last looked: in one go, once. */
export async function applyDueTransitions(db: Db, workspaceId: string, deps: CampaignDeps): Promise<void> {
  await db.transaction(async tx => {
    const now = deps.now()
    for (const before of await lockDueCampaigns(tx, workspaceId, now)) {
      const fields = advancedTo(fieldsOf(before), now)
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

/** A signature is about to go. A campaign that was for it alone must not turn into one for all: it is for nobody until others are chosen. */
export async function pauseCampaignsOnlyFor(
  tx: Db,
  by: Caller,
  signatureId: string,
  deps: CampaignDeps,
): Promise<void> {
  for (const campaign of await lockOnlyFor(tx, by.workspaceId, signatureId)) {
    const fields = advancedTo(fieldsOf(campaign), deps.now())
    const isRunning = fields.status === 'active' || fields.status === 'scheduled'
    const status = isRunning ? 'paused' : fields.status
    const action = isRunning ? auditActions.pause : 'updated'
    await saveAndNotify(tx, by, campaign, { ...fields, status, lostTargets: true }, action, deps)
  }
}
