import { dataOf, ok, type Route, route } from '#kernel/api/routes.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { ensurePage, rotatePage } from './queries.ts'
import { pageAsJson, refuseForeignPage, refuseWithoutPage } from './rules.ts'
import { PersonalPage } from './schemas.ts'

interface PageDeps {
  readonly publicUrl: string
}

export const personalPageRoutes = ({ publicUrl }: PageDeps): readonly Route[] => [
  route({
    name: 'emails.personalPage.get',
    method: 'GET',
    path: '/v1/emails/{id}/personal_page',
    access: 'signatures:write',
    own: true,
    summary: 'The private page where the owner of an address copies the signature',
    description:
      'The private address of the page on which the owner of this mailbox copies the signature, with steps for each mail client. The address needs no sign-in, so give it to that person alone. With it values can be changed, so the scope `signatures:write` is needed, and members get the pages of their own addresses only (403 `insufficient_role` for others). An address that has got old by the setting `personal_page_link_days` is replaced by a fresh one.',
    errors: ['installation_unavailable'],
    answers: { 200: dataOf(PersonalPage) },
    async handle({ db, by, params }) {
      const { workspaceId } = by
      await refuseForeignPage(db, by, params.id)
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
