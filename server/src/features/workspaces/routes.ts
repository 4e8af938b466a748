import { orNotFound } from '#kernel/errors.ts'
import { dataOf, ok, type Route, route } from '#kernel/routes.ts'
import { findWorkspace } from './queries.ts'
import { Workspace } from './schemas.ts'

export const workspaceRoutes: readonly Route[] = [
  route({
    name: 'workspace.get',
    method: 'GET',
    path: '/v1/workspace',
    access: 'workspace:read',
    summary: 'Read the workspace: plan and seat count',
    answers: { 200: dataOf(Workspace) },
    handle: async ({ db, by }) => ok(orNotFound(await findWorkspace(db, by.workspaceId))),
  }),
]
