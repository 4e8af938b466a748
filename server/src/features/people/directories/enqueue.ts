import type { Sql } from '#kernel/db/db.ts'
import { enqueue } from '#kernel/db/jobs.ts'

export const syncJob = 'directories.sync'
export const approvalJob = 'directories.approve'
export const remapJob = 'directories.remap'

export interface DirectoryPayload {
  readonly workspace_id: string
  readonly integration_id: string
}

export interface ApprovalPayload extends DirectoryPayload {
  readonly run_id: string
}

export const enqueueSync = (workspaceId: string, integrationId: string): Sql => {
  const payload: DirectoryPayload = { workspace_id: workspaceId, integration_id: integrationId }
  return enqueue(syncJob, payload, `${syncJob} ${integrationId}`)
}

export const enqueueApproval = (workspaceId: string, integrationId: string, runId: string): Sql => {
  const payload: ApprovalPayload = {
    workspace_id: workspaceId,
    integration_id: integrationId,
    run_id: runId,
  }
  return enqueue(approvalJob, payload, `${approvalJob} ${runId}`)
}

export const enqueueRemap = (workspaceId: string, integrationId: string): Sql => {
  const payload: DirectoryPayload = { workspace_id: workspaceId, integration_id: integrationId }
  return enqueue(remapJob, payload, `${remapJob} ${integrationId}`)
}
