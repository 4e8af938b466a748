// What has changed, told to whoever compares: to be run in the transaction that changed it.
import type { Sql } from '#kernel/db.ts'
import { enqueue } from '#kernel/jobs.ts'
import { lowerUuid } from '#kernel/validation.ts'

export const reconcileJob = 'installations.reconcile'

export interface ReconcilePayload {
  readonly workspace_id: string
  readonly signature_id?: string
  readonly teammate_ids?: readonly string[]
  readonly email_ids?: readonly string[]
  /** Written once more, whatever is there. */
  readonly again?: true
}

/** To be run in the transaction that changed a signature or who gets it. */
export const enqueueReconcileSignature = (workspaceId: string, signatureId: string): Sql =>
  enqueue(
    reconcileJob,
    { workspace_id: workspaceId, signature_id: signatureId },
    `${reconcileJob} ${signatureId}`,
  )

/** For whoever has changed it in their mailbox. */
export const enqueueReinstallSignature = (workspaceId: string, signatureId: string): Sql =>
  enqueue(
    reconcileJob,
    { workspace_id: workspaceId, signature_id: signatureId, again: true },
    `${reconcileJob} ${signatureId} again`,
  )

export const enqueueReinstallEmail = (workspaceId: string, emailId: string): Sql =>
  enqueue(reconcileJob, { workspace_id: workspaceId, email_ids: [emailId], again: true })

/** To be run in the transaction that changed people. */
export const enqueueReconcileTeammates = (workspaceId: string, teammateIds: readonly string[]): Sql =>
  enqueue(reconcileJob, { workspace_id: workspaceId, teammate_ids: teammateIds })

/** To be run in the transaction that changed who gets what, for these addresses alone. */
export const enqueueReconcileEmails = (workspaceId: string, emailIds: readonly string[]): Sql =>
  enqueue(reconcileJob, { workspace_id: workspaceId, email_ids: [...new Set(emailIds.map(lowerUuid))] })

/** To be run in the transaction that changed what many signatures look like. */
export const enqueueReconcileWorkspace = (workspaceId: string): Sql =>
  enqueue(reconcileJob, { workspace_id: workspaceId }, `${reconcileJob} ${workspaceId}`)
