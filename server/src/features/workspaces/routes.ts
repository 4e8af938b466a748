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
    description:
      'The workspace that the API key belongs to, with its plan and its number of seats. `seat_count` is the number of active teammates. A self-hosted workspace has the tier `self_hosted`, in which every feature is on. `event_tracking.id` is the id that `signoff.js` on your web pages needs.',
    answers: { 200: dataOf(Workspace) },
    handle: async ({ db, by }) => ok(orNotFound(await findWorkspace(db, by.workspaceId))),
  }),
]
