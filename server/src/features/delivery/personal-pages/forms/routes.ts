// The forms of the page. They work without scripts: each answers a page, or leads back to it.
import { type Static, Type } from 'typebox'
import { clearPicture, withdraw } from '#features/people/teammates/index.ts'
import { type Answer, plainBody, type Route } from '#kernel/api/routes.ts'
import { uuid } from '#kernel/api/validation.ts'
import { ApiError, apiError } from '#kernel/base/errors.ts'
import { maskedAddress, requestFreshLink } from '../links/rules.ts'
import { freshLinkSentPage, type PageProblem } from '../notices.ts'
import { saveOwnValues } from '../own-values.ts'
import { type PageVisit, pageOwnerCaller } from '../rules.ts'
import { type PageCall, type PersonalPages, pathOfPage } from '../visits.ts'

const FormFields = Type.Record(Type.String(), Type.String({ maxLength: 20_000 }))
type Form = Static<typeof FormFields>

/** The words for errors that no page answers itself; all others are faults of the service. */
const problems: Readonly<Record<string, PageProblem>> = {
  cross_origin: 'cross_origin',
  rate_limited: 'rate_limited',
  malformed_json: 'unreadable_form',
  payload_too_large: 'unreadable_form',
  unsupported_media_type: 'unreadable_form',
  invalid: 'unreadable_form',
  too_long: 'unreadable_form',
}

const page = Type.String()
const answers: Route['answers'] = {
  ...{ 200: page, 303: null, 400: page, 403: page, 404: page, 408: page, 413: page, 415: page, 422: page },
  ...{ 429: page, 500: page, 503: page },
}

interface FormVisit {
  readonly call: PageCall
  readonly visit: PageVisit
  readonly form: Form
}

/** Changes that another window or a manager was faster with lead back to the page, which shows how it is now. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof ApiError &&
  ['not_found', 'already_decided', 'insufficient_role', 'directory_managed', 'invalid'].includes(error.code)

export function formRoutes(pages: PersonalPages): readonly Route[] {
  const { teammates } = pages.deps
  const formRoute = (
    name: string,
    summary: string,
    submit: (visit: FormVisit) => Promise<Answer>,
    isForOldLinks = false,
  ): Route => ({
    name: null,
    method: 'POST',
    path: `/p/{workspace}/{token}/${name}`,
    access: 'public',
    summary,
    body: plainBody(FormFields),
    accepts: ['application/x-www-form-urlencoded'],
    bodyLimit: 128 * 1024,
    answers,
    errorPage: (code, headers) => pages.problem(headers, problems[code] ?? 'unavailable', null),
    async handle({ db, params, client, body }) {
      const call = { db, params, client }
      const visit = await pages.open(call)
      if (!visit) return pages.missing(call)
      try {
        pages.checkOrigin(client)
        await pages.countChange(visit)
        if (visit.owner.is_old && !isForOldLinks) return pages.oldLink(call, visit)
        return await submit({ call, visit, form: (body ?? {}) as Form })
      } catch (error) {
        const problem = error instanceof ApiError ? problems[error.code] : undefined
        if (!(error instanceof ApiError) || (problem !== 'cross_origin' && problem !== 'rate_limited'))
          throw error
        return { status: error.status, ...pages.problem(client.headers, problem, pathOfPage(params)) }
      }
    },
  })

  /** Runs a change of one thing; afterwards the page shows how it is now. */
  const change = async (
    { call }: FormVisit,
    id: string | undefined,
    run: (id: string) => Promise<Answer>,
  ) => {
    if (id === undefined || !uuid.test(id)) return pages.redirect(call.params, null)
    return run(id.toLowerCase()).catch(error => {
      if (isOvertaken(error)) return pages.redirect(call.params, null)
      throw error
    })
  }
  const callerOf = ({ call: { client }, visit: { context, owner } }: FormVisit) =>
    pageOwnerCaller(context.workspaceId, owner.address, client.requestId ?? null)

  return [
    formRoute('values', 'Change values on a personal page', async ({ call, visit, form }) => {
      const result = await saveOwnValues(call.db, visit, form, call.client.requestId, teammates)
      return 'done' in result
        ? pages.redirect(call.params, result.done)
        : pages.show(call, visit, null, result.refused)
    }),
    formRoute('picture/remove', 'Remove the picture on a personal page', async submitted =>
      change(submitted, submitted.form.field, async smart_field_id => {
        const { call, visit } = submitted
        const at = { id: visit.owner.teammate_id, smart_field_id }
        const waiting = await clearPicture(call.db, callerOf(submitted), at, teammates)
        return pages.redirect(call.params, waiting ? 'waiting' : 'removed')
      }),
    ),
    formRoute('withdraw', 'Withdraw a change on a personal page', async submitted =>
      change(submitted, submitted.form.change, async id => {
        const { call } = submitted
        await withdraw(call.db, callerOf(submitted), id, teammates)
        return pages.redirect(call.params, 'withdrawn')
      }),
    ),
    formRoute(
      'link',
      'Mail a fresh link of a personal page to its address',
      async ({ call, visit }) => {
        if (!pages.deps.sendsMail) throw apiError('unavailable')
        await requestFreshLink(call.db, visit, call.client.address)
        const frame = await pages.frameFor(call, visit)
        return pages.answer(200, freshLinkSentPage(frame, maskedAddress(visit.owner.address)))
      },
      true,
    ),
  ]
}
