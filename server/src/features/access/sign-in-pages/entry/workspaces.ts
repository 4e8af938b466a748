// The workspaces that a visitor sees, and the choice of one of them.
import { setSessionWorkspace } from '#features/access/access/index.ts'
import { markSeen } from '#features/workspace/accounts/index.ts'
import { workspacesByIds } from '#features/workspace/workspaces/index.ts'
import type { SessionMembership } from '#kernel/api/session-cookies.ts'
import type { SignInPageDeps } from '../deps.ts'
import type { Visit, Visitor } from '../visit.ts'

export interface OwnWorkspace {
  readonly id: string
  readonly name: string
  readonly role: string
}

/** Not those of the account: single sign-on of one workspace must not reveal the others. */
export async function workspacesSeenBy(
  db: Visit['db'],
  { memberships }: Visitor,
): Promise<readonly OwnWorkspace[]> {
  const ids = memberships.map(({ workspaceId }) => workspaceId)
  const names = new Map((await workspacesByIds(db, ids)).map(({ id, name }) => [id, name]))
  return memberships.map(({ workspaceId, role }) => ({
    id: workspaceId,
    name: names.get(workspaceId) ?? '',
    role,
  }))
}

/** The workspace of requests that name none; null when the visitor must not act in it. */
export function currentWorkspaceOf({ memberships, lastWorkspaceId }: Visitor): string | null {
  const current = memberships.find(({ workspaceId }) => workspaceId === lastWorkspaceId) ?? memberships[0]
  return current && current.refusal === null ? current.workspaceId : null
}

export type WorkspaceChoice = 'chosen' | 'unknown' | NonNullable<SessionMembership['refusal']>

/** Stores the choice of a form. The route has checked that the form is one of ours. */
export async function switchWorkspace(
  { onSessionChange }: Pick<SignInPageDeps, 'onSessionChange'>,
  { db, form }: Visit,
  { memberships, sessionId, accountId }: Visitor,
): Promise<WorkspaceChoice> {
  const chosen = memberships.find(({ workspaceId }) => workspaceId === form.workspace_id)
  if (!chosen) return 'unknown'
  if (chosen.refusal !== null) return chosen.refusal
  await db.query(setSessionWorkspace(sessionId, chosen.workspaceId))
  await db.query(markSeen(chosen.workspaceId, accountId, new Date()))
  onSessionChange()
  return 'chosen'
}
