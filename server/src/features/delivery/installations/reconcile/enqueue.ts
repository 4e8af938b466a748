// Enqueues the reconcile job. Each statement runs in the transaction that made the change.

import { lowerUuid } from '#kernel/api/validation.ts'
import type { Sql } from '#kernel/db/db.ts'
import { enqueue } from '#kernel/db/jobs.ts'

export const reconcileJobName = 'installations.reconcile'

export interface ReconcilePayload {
  readonly workspace_id: string
  readonly signature_id?: string
  readonly teammate_ids?: readonly string[]
  readonly email_ids?: readonly string[]
  /** Deliver again although the mailbox holds the same signature. */
  readonly again?: true
}

/** A signature changed, or its recipients. */
export const enqueueReconcileSignature = (workspaceId: string, signatureId: string): Sql =>
  enqueue(
    reconcileJobName,
    { workspace_id: workspaceId, signature_id: signatureId },
    `${reconcileJobName} ${signatureId}`,
  )

/** An admin asked to install it again, for example because users edited it in their mailboxes. */
export const enqueueReinstallSignature = (workspaceId: string, signatureId: string): Sql =>
  enqueue(
    reconcileJobName,
    { workspace_id: workspaceId, signature_id: signatureId, again: true },
    `${reconcileJobName} ${signatureId} again`,
  )

export const enqueueReinstallEmail = (workspaceId: string, emailId: string): Sql =>
  enqueue(reconcileJobName, { workspace_id: workspaceId, email_ids: [emailId], again: true })

/** Teammates changed. */
export const enqueueReconcileTeammates = (workspaceId: string, teammateIds: readonly string[]): Sql =>
  enqueue(reconcileJobName, { workspace_id: workspaceId, teammate_ids: teammateIds })

/** The signature of these addresses changed. */
export const enqueueReconcileEmails = (workspaceId: string, emailIds: readonly string[]): Sql =>
  enqueue(reconcileJobName, { workspace_id: workspaceId, email_ids: [...new Set(emailIds.map(lowerUuid))] })

/** Many signatures of the workspace changed. */
export const enqueueReconcileWorkspace = (workspaceId: string): Sql =>
  enqueue(reconcileJobName, { workspace_id: workspaceId }, `${reconcileJobName} ${workspaceId}`)
