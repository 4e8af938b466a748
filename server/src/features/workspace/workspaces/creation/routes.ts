import { accountRoute, created, dataOf, maybeWrappedBody, type Route } from '#kernel/api/routes.ts'
import { Text } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { Workspace } from '../schemas.ts'
import { createOwnWorkspace, type WorkspaceCreationDeps } from './rules.ts'

const WorkspaceInput = NamedObject('WorkspaceInput', {
  name: Text(200, {
    examples: ['Northbean Coffee'],
    description: 'The name of the company, as people see it in mails and on pages.',
  }),
})

export const workspaceCreationRoutes = (deps: WorkspaceCreationDeps): readonly Route[] => [
  accountRoute({
    name: 'workspaces.create',
    method: 'POST',
    path: '/v1/workspaces',
    summary: 'Create another workspace',
    description:
      'Creates a workspace with its built-in smart fields; the account that is signed in becomes its owner. Needs a session of an account that owns a workspace already; with `SIGNOFF_WORKSPACE_CREATION=operator` only the command line creates workspaces. An account owns at most 100. The session uses the new workspace from now on and gets a new cookie; the header `Signoff-Workspace` chooses another one.',
    body: maybeWrappedBody('workspace', WorkspaceInput),
    errors: ['insufficient_role', 'unverified_account'],
    answers: { 201: dataOf(Workspace) },
    async handle({ db, by, body }) {
      const { workspace, cookie } = await createOwnWorkspace(db, by, body.name, deps)
      deps.onChange()
      return { ...created(workspace, '/v1/workspace'), cookies: [cookie] }
    },
  }),
]
