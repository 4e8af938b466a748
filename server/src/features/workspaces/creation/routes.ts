import { accountRoute, created, dataOf, maybeWrappedBody, type Route } from '#kernel/routes.ts'
import { Workspace } from '../schemas.ts'
import { createOwnWorkspace, type WorkspaceCreation } from './rules.ts'
import { WorkspaceInput } from './schemas.ts'

/** `onChange` clears the caches of the authenticators in this process: the session has a workspace more. */
export const workspaceCreationRoutes = (
  allowed: WorkspaceCreation,
  onChange: () => void,
): readonly Route[] => [
  accountRoute({
    name: 'workspaces.create',
    method: 'POST',
    path: '/v1/workspaces',
    summary: 'Create another workspace',
    description:
      'Creates a workspace with its built-in smart fields; the account that is signed in becomes its owner. Needs a session of an account that owns a workspace already; with `SIGNOFF_WORKSPACE_CREATION=operator` only the command line creates workspaces. Further requests choose the workspace with the header `Signoff-Workspace`.',
    body: maybeWrappedBody('workspace', WorkspaceInput),
    errors: ['insufficient_role'],
    answers: { 201: dataOf(Workspace) },
    async handle({ db, by, body }) {
      const workspace = await createOwnWorkspace(db, by, body.name, allowed)
      onChange()
      return created(workspace, '/v1/workspace')
    },
  }),
]
