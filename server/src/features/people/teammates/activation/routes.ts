import { Type } from 'typebox'
import { dataOf, ok, plainBody, type Route, route } from '#kernel/api/routes.ts'
import { Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { changeActivity, type TeammateWriteDeps } from '../rules.ts'

const ActivityInput = NamedObject('TeammateActivityInput', {
  ids: Type.Array(Uuid(), { minItems: 1, maxItems: 1_000, description: 'Teammates.' }),
})

const ActivityChanged = NamedObject('TeammateActivityChanged', {
  changed: Type.Integer({ description: 'People whose state is another one now.' }),
  unchanged: Type.Integer({ description: 'People who had this state already.' }),
  unknown: Type.Array(Uuid(), { description: 'Ids of no teammate, such as one that was deleted.' }),
})

export const activationRoutes = (deps: TeammateWriteDeps): readonly Route[] => [
  route({
    name: 'teammates.activate',
    method: 'POST',
    path: '/v1/teammates/activate',
    access: 'teammates:write',
    summary: 'Make inactive teammates active again',
    description:
      'Active people get signatures and need a seat. Their addresses, values and places in signatures are as before, and their mailboxes follow. Takes up to 1,000 ids; a second request with the same ids changes nothing. While a directory drives the teammates, it decides who is active: 409 `directory_managed`. When fewer seats are left than people need, the answer is 403 `plan_upgrade_required`, and no person becomes active.',
    body: plainBody(ActivityInput),
    errors: ['directory_managed', 'plan_upgrade_required'],
    answers: { 200: dataOf(ActivityChanged) },
    handle: async ({ db, by, body }) => ok(await changeActivity(db, by, body.ids, true, deps)),
  }),
  route({
    name: 'teammates.deactivate',
    method: 'POST',
    path: '/v1/teammates/deactivate',
    access: 'teammates:write',
    summary: 'Make teammates inactive',
    description:
      'Inactive people get no signature and need no seat, for example after they have left. They keep their addresses, values and places in signatures, so that `POST /v1/teammates/activate` brings everything back. Takes up to 1,000 ids. While a directory drives the teammates, it decides who is active: 409 `directory_managed`.',
    body: plainBody(ActivityInput),
    errors: ['directory_managed'],
    answers: { 200: dataOf(ActivityChanged) },
    handle: async ({ db, by, body }) => ok(await changeActivity(db, by, body.ids, false, deps)),
  }),
]
