import { Type } from 'typebox'
import { recordCopy } from '#features/installations/index.ts'
import type { RenderDeps } from '#features/live-signatures/index.ts'
import { orNotFound } from '#kernel/errors.ts'
import { type Answer, dataOf, ok, publicRoute, type Route, route } from '#kernel/routes.ts'
import { missingPage, pageFor, policyFor } from './page.ts'
import { ensurePage, rotatePage } from './queries.ts'
import { openPage, pageAsJson, pageContentFor, refuseWithoutPage } from './rules.ts'
import { Copied, CopiedQuery, PersonalPage } from './schemas.ts'

interface PageDeps {
  readonly publicUrl: string
}

export const personalPageRoutes = ({ publicUrl }: PageDeps): readonly Route[] => [
  route({
    name: 'emails.personalPage.get',
    method: 'GET',
    path: '/v1/emails/{id}/personal_page',
    access: 'signatures:read',
    summary: 'The private page where the owner of an address copies the signature',
    description:
      'The private address of the page on which the owner of this mailbox copies the signature, with steps for each mail client. The address needs no sign-in, so give it to that person alone.',
    errors: ['installation_unavailable'],
    answers: { 200: dataOf(PersonalPage) },
    async handle({ db, by, params }) {
      const { workspaceId } = by
      await refuseWithoutPage(db, workspaceId, publicUrl)
      const page = orNotFound(await ensurePage(db, by, params.id))
      return ok(pageAsJson({ workspaceId, publicUrl }, page))
    },
  }),
  route({
    name: 'emails.personalPage.rotate',
    method: 'POST',
    path: '/v1/emails/{id}/personal_page/rotate',
    access: 'signatures:write',
    summary: 'Give a private page another address; the old one leads nowhere from now on',
    description:
      'Gives the private page a new address, which is in the answer. The old address answers 404 from now on. Use it when a link was shared by mistake, and send the new one to the owner of the mailbox.',
    errors: ['installation_unavailable'],
    answers: { 200: dataOf(PersonalPage) },
    async handle({ db, by, params }) {
      await refuseWithoutPage(db, by.workspaceId, publicUrl)
      const page = orNotFound(await rotatePage(db, by, params.id))
      return ok(pageAsJson({ workspaceId: by.workspaceId, publicUrl }, page))
    },
  }),
]

const html = Type.String()

/** Public routes: knowing the address of a page is enough to open it. */
export function pageRoutes(deps: RenderDeps): readonly Route[] {
  const { publicUrl } = deps
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyFor(publicUrl),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
  }
  const page = (status: number, body: string): Answer => ({ status, body, headers })
  return [
    publicRoute(
      '/p/{workspace}/{token}',
      'The private page of an address',
      { 200: html, 404: html },
      async ({ db, params: { workspace = '', token = '' } }) => {
        const visit = await openPage(db, deps, workspace, token)
        return visit ? page(200, pageFor(await pageContentFor(db, visit))) : page(404, missingPage())
      },
    ),
    {
      name: null,
      method: 'POST',
      path: '/p/{workspace}/{token}/copied',
      access: 'public',
      summary: 'Note that the signature was copied from its page',
      query: CopiedQuery,
      answers: { 200: dataOf(Copied) },
      async handle({ db, params: { workspace = '', token = '' }, query }) {
        const { context: place, owner } = orNotFound(await openPage(db, deps, workspace, token))
        const { version } = query as { readonly version?: string }
        return ok({ state: (await recordCopy(db, place, owner.email_id, version)) ?? 'none' })
      },
    },
  ]
}
