import { dataOf, ok, type Route, route } from '#kernel/routes.ts'
import { type CheckDeps, checkSignature } from './rules.ts'
import { Check, CheckQuery } from './schemas.ts'

export const checkRoutes = (deps: CheckDeps): readonly Route[] => [
  route({
    name: 'signatures.check',
    method: 'GET',
    path: '/v1/signatures/{id}/check',
    access: 'signatures:read',
    summary: 'Find problems before publishing',
    description:
      'Checks the draft, or the published content where there is no draft, against the recipients that the signature has now. Each problem has one cause, names the blocks it concerns as an editor does, and says how many recipients it affects. An `error` makes publishing fail unless it is forced; a `warning` should be mended; a `note` shows only in some mail clients. It changes nothing. `?variant=reply` or `internal` checks that variant. At most 100 problems are listed, the most severe first.',
    query: CheckQuery,
    errors: ['variant_not_created'],
    answers: { 200: dataOf(Check) },
    handle: async ({ db, by, params, query }) =>
      ok(await checkSignature(db, by.workspaceId, params.id, query.variant, deps)),
  }),
]
