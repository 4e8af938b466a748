import { dataOf, maybeWrappedBody, ok, type Route, route } from '#kernel/api/routes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { findWorkspace } from './queries.ts'
import { Workspace, WorkspacePatch } from './schemas.ts'
import { settingProblems } from './setting-values.ts'
import { changeWorkspace, type WorkspaceDeps } from './settings.ts'

export const workspaceRoutes = (deps: WorkspaceDeps): readonly Route[] => [
  route({
    name: 'workspace.get',
    method: 'GET',
    path: '/v1/workspace',
    access: 'workspace:read',
    summary: 'Read the workspace: plan, seat count and settings',
    description:
      'The workspace that the API key belongs to, with its plan, its number of seats and its settings. `seat_count` is the number of active teammates; `seats` adds the most of this month and the limit, if the operator of the service has set one. A self-hosted workspace has the tier `self_hosted`, in which every feature is on. `event_tracking.id` is the id that `signoff.js` on your web pages needs.',
    answers: { 200: dataOf(Workspace) },
    handle: async ({ db, by }) => ok(orNotFound(await findWorkspace(db, by.workspaceId))),
  }),
  route({
    name: 'workspace.update',
    method: 'PATCH',
    path: '/v1/workspace',
    access: 'workspace:write',
    summary: 'Change the settings of the workspace',
    description:
      'Changes the settings that are sent: the name, the own domains, the time zone and language, tracking, the personal page and the age of its links, how long events are kept, the sender name of mails, and whether managers need an approval to publish. A list of domains replaces the previous list. When tracking or the personal page is switched, mailboxes are updated in the background. With `If-Match`, a change based on an outdated version is refused with 412. Owners and admins can change it.',
    body: maybeWrappedBody('workspace', WorkspacePatch, { problems: settingProblems }),
    errors: ['duplicate'],
    answers: { 200: dataOf(Workspace) },
    handle: async ({ db, by, body }) => ok(await changeWorkspace(db, by, body, deps)),
  }),
]
