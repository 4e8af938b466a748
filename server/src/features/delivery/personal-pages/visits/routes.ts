// The public routes of personal pages: knowing the address of a page is enough to open it.
import { type Static, Type } from 'typebox'
import { recordCopy } from '#features/delivery/installations/index.ts'
import { assertOwnPicture, prepareImage, setPicture } from '#features/people/teammates/index.ts'
import { dataOf, ok, plainBody, type Route } from '#kernel/api/routes.ts'
import { apiError, orNotFound } from '#kernel/base/errors.ts'
import { formRoutes } from '../forms/routes.ts'
import { type PageVisit, pageOwnerCaller } from '../rules.ts'
import { Copied, CopiedQuery, OwnPicture, OwnPictureSaved } from '../schemas.ts'
import { pageDones } from '../texts/page-texts.ts'
import { type PageCall, type PersonalPageDeps, PersonalPages } from '../visits.ts'

const html = Type.String()
/** An unknown word says nothing. */
const PageQuery = Type.Object({ done: Type.Optional(Type.String()) })

/** Throws 404 for a link that is old too: programs get no reason. */
async function openFresh(pages: PersonalPages, call: PageCall): Promise<PageVisit> {
  const visit = orNotFound(await pages.open(call))
  if (visit.owner.is_old) throw apiError('not_found')
  return visit
}

type PictureBody = Static<typeof OwnPicture>

function pictureRoute(pages: PersonalPages): Route {
  const { teammates } = pages.deps
  const partsOf = async (call: PageCall, body: PictureBody) => {
    const visit = await openFresh(pages, call)
    const { context, owner } = visit
    const by = pageOwnerCaller(context.workspaceId, owner.address, call.client.requestId ?? null)
    return { visit, by, at: { id: owner.teammate_id, smart_field_id: body.smart_field_id.toLowerCase() } }
  }
  return {
    name: null,
    method: 'POST',
    path: '/p/{workspace}/{token}/picture',
    access: 'public',
    summary: 'Set a picture on a personal page',
    body: { ...plainBody(OwnPicture), file: 'file_base64' },
    errors: [
      'cross_origin',
      'rate_limited',
      'insufficient_role',
      'not_editable',
      'directory_managed',
      'invalid',
      'blank',
      'missing',
      'out_of_range',
      'unknown_reference',
    ],
    answers: { 200: dataOf(OwnPictureSaved) },
    async prepare({ reserve, ...call }) {
      const body = call.body as PictureBody
      pages.checkOrigin(call.client)
      const { visit, by, at } = await partsOf(call, body)
      await pages.countChange(visit)
      await assertOwnPicture(call.db, by, at, teammates.publicUrl)
      return prepareImage(call.db, by.workspaceId, at.smart_field_id, body, { ...teammates, reserve })
    },
    async handle(call) {
      const body = call.body as PictureBody
      const { by, at } = await partsOf(call, body)
      const prepared = call.prepared as Awaited<ReturnType<typeof prepareImage>>
      if (prepared === null) throw apiError('directory_managed')
      const { pending } = await setPicture(call.db, by, at, { image: body, prepared }, teammates)
      return ok({ state: pending.length > 0 ? 'waiting' : 'saved' })
    },
  }
}

export function pageRoutes(deps: PersonalPageDeps): readonly Route[] {
  const pages = new PersonalPages(deps)
  return [
    {
      name: null,
      method: 'GET',
      path: '/p/{workspace}/{token}',
      access: 'public',
      summary: 'The private page of an address',
      query: PageQuery,
      answers: { 200: html, 404: html, 422: html, 500: html, 503: html },
      errorPage: (_code, headers) => pages.problem(headers, 'unavailable', null),
      async handle({ db, params, client, query }) {
        const call = { db, params, client }
        const visit = await pages.open(call)
        if (!visit) return pages.missing(call)
        if (visit.owner.is_old) return pages.oldLink(call, visit)
        const { done } = query as Static<typeof PageQuery>
        return pages.show(call, visit, pageDones.find(name => name === done) ?? null, null)
      },
    },
    {
      name: null,
      method: 'POST',
      path: '/p/{workspace}/{token}/copied',
      access: 'public',
      summary: 'Note that the signature was copied from its page',
      query: CopiedQuery,
      answers: { 200: dataOf(Copied) },
      async handle({ db, params, client, query }) {
        const { context, owner } = await openFresh(pages, { db, params, client })
        const { version } = query as { readonly version?: string }
        return ok({ state: (await recordCopy(db, context, owner.email_id, version)) ?? 'none' })
      },
    },
    pictureRoute(pages),
    ...formRoutes(pages),
  ]
}
