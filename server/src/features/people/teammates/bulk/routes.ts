import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import { accepted, dataOf, list, ok, type Route, route, wrappedBody } from '#kernel/api/routes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { TeammateDeps } from '../rules.ts'
import { enqueueTeammateChanges } from './jobs.ts'
import { findTeammateChange, listTeammateChanges } from './queries.ts'
import { changeTeammates, selectionProblems } from './rules.ts'
import { TeammateChange, TeammatesChanged, TeammatesPatch } from './schemas.ts'

export const bulkRoutes = (deps: TeammateDeps): readonly Route[] => [
  route({
    name: 'teammates.updateMany',
    method: 'PATCH',
    path: '/v1/teammates',
    access: 'teammates:write',
    summary: 'Change the values of many teammates at once',
    description:
      'Writes the same smart-field values for the people that `ids` or `filter` select, by the rules of `PATCH /v1/teammates/{id}`. Begin with `dry_run: true`: the answer says how many would change and gives a `token` for exactly these people. A change by `filter` must send the token, and is refused with 412 `stale_resource` when the filter finds other people meanwhile. Up to 1,000 people are changed in one transaction (200), also when all of the selected people have the values already; more are changed by a job (202), and `GET /v1/teammates/changes/{id}` shows how far it is. Ten such changes can wait; a further one is refused with 429 `rate_limited`. Mailboxes follow once. Values of fields that a directory syncs have no effect, and the answer names them in `ignored`.',
    body: wrappedBody('teammates', TeammatesPatch, { problems: selectionProblems }),
    errors: ['stale_resource', 'missing', 'unknown_reference', 'duplicate', 'invalid', 'too_many'],
    versionAt: null,
    answers: { 200: dataOf(TeammatesChanged), 202: dataOf(TeammateChange) },
    // By ids it reads 1,000 people at most.
    isSlow: ({ filter }) => filter !== undefined,
    async handle({ db, by, body }) {
      const outcome = await db.transaction(async tx => {
        const made = await changeTeammates(tx, by, body, deps)
        if ('stored' in made) await tx.query(enqueueTeammateChanges(by.workspaceId))
        return made
      })
      const { ignored } = outcome
      if (!('stored' in outcome)) return { ...ok(outcome.result), ignored }
      const answer = accepted(outcome.stored)
      const headers = { ...answer.headers, location: `/v1/teammates/changes/${outcome.stored.id}` }
      return { ...answer, headers, ignored }
    },
  }),
  route({
    name: 'teammates.listChanges',
    method: 'GET',
    path: '/v1/teammates/changes',
    access: 'teammates:read',
    summary: 'List changes of many teammates',
    description:
      'The changes of many people at once, newest first, each with how far it is. Changes are kept for 30 days after their end. The audit log has an entry for each person that was changed.',
    query: Type.Object(pageQuery),
    answers: { 200: pageOf(TeammateChange) },
    handle: async ({ db, by, query }) => list(await listTeammateChanges(db, by.workspaceId, query)),
  }),
  route({
    name: 'teammates.getChange',
    method: 'GET',
    path: '/v1/teammates/changes/{id}',
    access: 'teammates:read',
    summary: 'How far a change of many teammates is',
    description:
      'A change of more than 1,000 people is done by a job in batches. `processed` of `matched` people are done; `missing` counts those who were deleted meanwhile. A change fails when one of its fields was deleted or got another kind; what was written stays. Changes are kept for 30 days after their end.',
    answers: { 200: dataOf(TeammateChange) },
    handle: async ({ db, by, params }) =>
      ok(orNotFound(await findTeammateChange(db, by.workspaceId, params.id))),
  }),
]
