import { dataOf, ok, type Route, route } from '#kernel/api/routes.ts'
import type { Db } from '#kernel/db/db.ts'
import { withTimeLimit } from '#kernel/db/time-limit.ts'
import { valuesMilliseconds } from './rendering.ts'
import { type CheckDeps, checkSignature } from './rules.ts'
import { Check, CheckQuery } from './schemas.ts'

/** A live signature that some recipients keep, because it comes first. */
interface KeptInstead {
  readonly signature_id: string
  readonly name: string
  readonly priority: number
  readonly recipients: number
}

export interface CheckRouteDeps extends CheckDeps {
  /** The signatures that recipients of this one keep when it is published. */
  readonly findKept: (db: Db, workspaceId: string, signatureId: string) => Promise<readonly KeptInstead[]>
}

export const checkRoutes = (deps: CheckRouteDeps): readonly Route[] => [
  route({
    name: 'signatures.check',
    method: 'GET',
    path: '/v1/signatures/{id}/check',
    access: 'signatures:read',
    summary: 'Find problems before publishing',
    description:
      'Checks the draft, or the published content where there is no draft, against the recipients that the signature has now. Each problem has one cause, names the blocks it concerns as an editor does, and says how many recipients it affects. An `error` makes publishing fail unless it is forced; a `warning` should be mended; a `note` shows only in some mail clients. It changes nothing. `?variant=reply` or `internal` checks that variant. At most 100 problems are listed, the most severe first. `kept` names live signatures that come first for some of the recipients: publishing this one changes nothing for these.',
    query: CheckQuery,
    errors: ['variant_not_created'],
    answers: { 200: dataOf(Check) },
    async handle({ db, by, params, query: { variant } }) {
      const result = await checkSignature(db, by.workspaceId, params.id, variant, deps)
      if (variant !== undefined) return ok(result)
      const keptSignatures = await withTimeLimit(db, valuesMilliseconds, tx =>
        deps.findKept(tx, by.workspaceId, params.id),
      )
      return ok({ ...result, ...(keptSignatures && keptSignatures.length > 0 && { kept: keptSignatures }) })
    },
  }),
]
