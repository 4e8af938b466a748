import { saveChecklistDismissal } from '#features/workspace/workspaces/index.ts'
import { dataOf, maybeWrappedBody, ok, type Route, route } from '#kernel/api/routes.ts'
import { type ChecklistDeps, readChecklist } from './rules.ts'
import { Checklist, ChecklistPatch } from './schemas.ts'

const path = '/v1/workspace/checklist'

export const checklistRoutes = (deps: ChecklistDeps): readonly Route[] => [
  route({
    name: 'workspace.checklist',
    method: 'GET',
    path,
    access: 'workspace:read',
    summary: 'What is left to set up, and what needs attention',
    description:
      'The steps of setting up a workspace, each with whether it is done: everything follows from the data, so a step that is undone is open again. `attention` counts what an admin should look at: failed installations, missing values, halted channels, failing webhooks and approvals. It is cheap and can be asked at every visit.',
    answers: { 200: dataOf(Checklist) },
    handle: async ({ db, by }) => ok(await readChecklist(db, by.workspaceId, deps)),
  }),
  route({
    name: 'workspace.updateChecklist',
    method: 'PATCH',
    path,
    access: 'workspace:write',
    summary: 'Hide the checklist, or show it again',
    description:
      'Hides the checklist for all members of the workspace with `dismissed: true`, or shows it again with `false`. The steps stay as they are: they follow from the data. Owners and admins can change it.',
    body: maybeWrappedBody('checklist', ChecklistPatch),
    answers: { 200: dataOf(Checklist) },
    async handle({ db, by, body }) {
      if (body.dismissed !== undefined) await saveChecklistDismissal(db, by, body.dismissed)
      return ok(await readChecklist(db, by.workspaceId, deps))
    },
  }),
]
