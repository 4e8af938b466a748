import { Type } from 'typebox'
import { Preview } from '#features/content/content/index.ts'
import { isOwnEmail } from '#features/workspace/emails/index.ts'
import { dataOf, ok, type Route, route } from '#kernel/api/routes.ts'
import { seesOwnOnly } from '#kernel/api/scopes.ts'
import { isEmailAddress, Uuid } from '#kernel/api/validation.ts'
import { apiError, invalid, orNotFound } from '#kernel/base/errors.ts'
import { isStorableDate } from '#kernel/db/text.ts'
import { explain } from './explain.ts'
import type { RenderDeps } from './render.ts'
import { signatureFor } from './rules.ts'
import { ExplainQuery, Explanation } from './schemas.ts'

export const liveRoutes = (deps: RenderDeps): readonly Route[] => [
  route({
    name: 'emails.explainSignature',
    method: 'GET',
    path: '/v1/emails/{id}/signature',
    access: 'signatures:read',
    own: true,
    summary: 'Which signature an address gets, and why',
    description:
      'Answers "why does this person have this signature?". It returns the signature, variant and campaign that the address gets for a new mail, a reply or an internal mail, rendered as it is installed, and every candidate with the reason why it was chosen or not. With `to`, the addresses decide whether the mail is internal: it is when all of them are in the own domains of the workspace. With `at` it shows the campaigns of another moment, for example of next Monday. Members of a workspace with `member_access: own` ask for their own addresses only; others do not exist for them (404).',
    query: ExplainQuery,
    errors: ['out_of_range', 'invalid', 'too_many'],
    answers: { 200: dataOf(Explanation) },
    async handle({ db, by, params, query }) {
      const { workspaceId } = by
      const { kind = 'new', at, tracked = true } = query
      const to = recipientsOf(query.to, kind)
      const moment = at === undefined ? null : new Date(at)
      if (moment && !isStorableDate(moment)) throw invalid('at', 'out_of_range')
      if (seesOwnOnly(by) && !(await isOwnEmail(db, by, params.id))) throw apiError('not_found')
      const request = { emailId: params.id, kind, to, at: moment }
      const tracking = tracked ? deps.tracking : null
      return ok(orNotFound(await explain(db, { ...deps, tracking, workspaceId }, request)))
    },
  }),
  route({
    name: 'signatures.html',
    method: 'GET',
    path: '/v1/signatures/{id}/html',
    access: 'signatures:read',
    summary: 'The published signature of one of its recipients, as it is installed',
    description:
      'The HTML and text of the published signature exactly as they are installed for one recipient, with tracked links and the pixel. Use `preview` for a version without tracking. An address that is no recipient gives 422 `not_a_recipient`.',
    query: Type.Object({ email_id: Type.Optional(Uuid({ description: 'Required: whose signature.' })) }),
    errors: ['no_signature_to_install', 'missing', 'not_a_recipient'],
    answers: { 200: dataOf(Preview) },
    handle: async ({ db, by: { workspaceId }, params, query }) =>
      ok(await signatureFor(db, { ...deps, workspaceId }, params.id, query.email_id)),
  }),
]

const maxRecipients = 100

/** Null when the request names none. */
function recipientsOf(sent: string | undefined, kind: string): readonly string[] | null {
  if (sent === undefined) return null
  if (kind === 'internal')
    throw invalid('to', 'invalid', { message: 'to cannot be combined with kind=internal: to decides it' })
  const addresses = sent.split(',').map(address => address.trim())
  if (addresses.length > maxRecipients) throw invalid('to', 'too_many')
  const wrong = addresses.find(address => !isEmailAddress(address))
  if (wrong !== undefined)
    throw invalid('to', 'invalid', {
      message: `to must be email addresses, separated by commas; this is none: ${wrong.slice(0, 100)}`,
    })
  return addresses
}
