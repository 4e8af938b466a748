import type { Db } from '#kernel/db.ts'
import { found } from '#kernel/errors.ts'
import { type Caller, operator } from '#kernel/scopes.ts'
import { type Campaign, type Fields, lockCampaign, lockOnlyFor, lockTurning } from '../queries.ts'
import { type CampaignSettings, fieldsOf, keep, turned } from '../rules.ts'
import { allow, type Move, type Status, scheduled } from './states.ts'

type Action = Exclude<Move, 'change'>

const outcome: Readonly<Record<Action, (fields: Fields, now: Date) => Partial<Fields>>> = {
  schedule(fields, now) {
    const status = scheduled(fields, now)
    return { status, startedAt: status === 'active' ? now : null }
  },
  pause: () => ({ status: 'paused' }),
  // It goes on where it was: it does not push aside what started meanwhile.
  resume: ({ startedAt }, now) => ({ status: 'active', startedAt: startedAt ?? now }),
}
const past: Readonly<Record<Action, string>> = { schedule: 'scheduled', pause: 'paused', resume: 'resumed' }

export async function moveCampaign(
  db: Db,
  by: Caller,
  id: string,
  move: Action,
  settings: CampaignSettings,
): Promise<Campaign> {
  return db.transaction(async tx => {
    const now = settings.now()
    const before = found(await lockCampaign(tx, by.workspaceId, id))
    const fields = turned(fieldsOf(before), now)
    allow(move, fields, now)
    return keep(tx, by, before, { ...fields, ...outcome[move](fields, now) }, past[move], settings)
  })
}

const turns: Readonly<Partial<Record<Status, string>>> = { active: 'started', ended: 'ended' }

/** What time has done to the campaigns of a workspace since somebody last looked: in one go, once. */
export async function takeTurns(db: Db, workspaceId: string, settings: CampaignSettings): Promise<void> {
  await db.transaction(async tx => {
    const now = settings.now()
    for (const before of await lockTurning(tx, workspaceId, now)) {
      const fields = turned(fieldsOf(before), now)
      await keep(tx, operator(workspaceId), before, fields, turns[fields.status] ?? 'updated', settings)
    }
  })
}

/** A signature is about to go. A campaign that was for it alone must not turn into one for all: it is for nobody until others are chosen. */
export async function signatureGoes(
  tx: Db,
  by: Caller,
  signatureId: string,
  settings: CampaignSettings,
): Promise<void> {
  for (const campaign of await lockOnlyFor(tx, by.workspaceId, signatureId)) {
    const fields = turned(fieldsOf(campaign), settings.now())
    const isRunning = fields.status === 'active' || fields.status === 'scheduled'
    const status = isRunning ? 'paused' : fields.status
    const action = isRunning ? past.pause : 'updated'
    await keep(tx, by, campaign, { ...fields, status, lostTargets: true }, action, settings)
  }
}
