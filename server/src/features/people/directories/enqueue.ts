import type { Sql } from '#kernel/db/db.ts'
import { enqueue } from '#kernel/db/jobs.ts'
import type { DirectoryRef } from './queries.ts'

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

export const payloadOf = ({ workspaceId, integrationId }: DirectoryRef): DirectoryPayload => ({
  workspace_id: workspaceId,
  integration_id: integrationId,
})

export const directoryOf = ({ workspace_id, integration_id }: DirectoryPayload): DirectoryRef => ({
  workspaceId: workspace_id,
  integrationId: integration_id,
})

export const enqueueSync = (directory: DirectoryRef): Sql =>
  enqueue(syncJob, payloadOf(directory), `${syncJob} ${directory.integrationId}`)

export const enqueueApproval = (directory: DirectoryRef, runId: string): Sql => {
  const payload: ApprovalPayload = { ...payloadOf(directory), run_id: runId }
  return enqueue(approvalJob, payload, `${approvalJob} ${runId}`)
}

export const enqueueRemap = (directory: DirectoryRef): Sql =>
  enqueue(remapJob, payloadOf(directory), `${remapJob} ${directory.integrationId}`)
