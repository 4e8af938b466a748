// The workspaces that a visitor sees, and the choice of one of them: after a sign-in, and when the one that a session used
// last is not open to it.
import { setSessionWorkspace } from '#features/access/access/index.ts'
import { markSeen } from '#features/workspace/accounts/index.ts'
import { workspacesByIds } from '#features/workspace/workspaces/index.ts'
import type { SessionMembership } from '#kernel/api/session-cookies.ts'
import type { SignInPageDeps } from '../deps.ts'
import {
  type PageDefinition,
  type PageResult,
  pathWith,
  redirect,
  show,
  type Visit,
  type Visitor,
} from '../visit.ts'
import { factorPath, pathAfter } from './paths.ts'
import { problemPage } from './sign-in-view.ts'
import { ssoRequired } from './sso-choices.ts'
import { type OwnWorkspace, workspacesPage } from './workspaces-view.ts'

/** Not those of the account: single sign-on of one workspace must not reveal the others. */
async function workspacesSeenBy(db: Visit['db'], { memberships }: Visitor): Promise<readonly OwnWorkspace[]> {
  const ids = memberships.map(({ workspaceId }) => workspaceId)
  const names = new Map((await workspacesByIds(db, ids)).map(({ id, name }) => [id, name]))
  return memberships.map(({ workspaceId, role }) => ({
    id: workspaceId,
    name: names.get(workspaceId) ?? '',
    role,
  }))
}

/** A page for the reason why a session must not act in a workspace. */
async function refused(
  deps: SignInPageDeps,
  visit: Visit,
  { workspaceId, refusal }: SessionMembership,
  returnTo: string | undefined,
): Promise<PageResult> {
  if (refusal === 'sso_required') return ssoRequired(deps, visit, [workspaceId], returnTo)
  if (refusal === 'second_factor_required') return redirect(pathWith(factorPath, { return_to: returnTo }))
  return show(problemPage(visit.context, 'unverified_account'), 403)
}

async function openWorkspaces(deps: SignInPageDeps, visit: Visit): Promise<PageResult> {
  const { db, visitor, query, context } = visit
  const { return_to } = query
  if (!visitor) return redirect(pathWith('/sign-in', { return_to }))
  if (visitor.isPending) return redirect(pathWith(factorPath, { return_to }))
  const [only, ...others] = visitor.memberships
  if (only && others.length === 0 && query.again === undefined)
    return only.refusal === null ? redirect(pathAfter(return_to)) : refused(deps, visit, only, return_to)
  const workspaces = await workspacesSeenBy(db, visitor)
  return show(
    workspacesPage(context, { workspaces, name: visitor.name || visitor.email, returnTo: return_to }),
  )
}

/** Stores the choice of a form. The route has checked that the form is one of ours. */
async function chooseWorkspace(deps: SignInPageDeps, visit: Visit): Promise<PageResult> {
  const { db, visitor, form } = visit
  const { return_to } = form
  const chosen = visitor?.memberships.find(({ workspaceId }) => workspaceId === form.workspace_id)
  if (!visitor || visitor.isPending || !chosen) return redirect(pathWith('/sign-in', { return_to }))
  if (chosen.refusal !== null) return refused(deps, visit, chosen, return_to)
  await db.query(setSessionWorkspace(visitor.sessionId, chosen.workspaceId))
  await db.query(markSeen(chosen.workspaceId, visitor.accountId, new Date()))
  deps.onSessionChange()
  return redirect(pathAfter(return_to))
}

export const workspacePages = (deps: SignInPageDeps): readonly PageDefinition[] => [
  {
    method: 'GET',
    path: '/sign-in/workspace',
    summary: 'The page to choose a workspace',
    visit: visit => openWorkspaces(deps, visit),
  },
  {
    method: 'POST',
    path: '/sign-in/workspace',
    summary: 'Choose a workspace by the form',
    visit: visit => chooseWorkspace(deps, visit),
  },
]
