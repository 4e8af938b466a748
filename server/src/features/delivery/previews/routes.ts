import { Type } from 'typebox'
import {
  type DrawPicture,
  PictureQuery,
  PreviewInput,
  pictureOptionsOf,
} from '#features/content/content/index.ts'
import type { RenderDeps } from '#features/signatures/live-signatures/index.ts'
import { dataOf, ok, Png, plainBody, type Route, route } from '#kernel/api/routes.ts'
import { picture } from '#kernel/http/picture-answers.ts'
import { changePreviewRoutes } from './profile-changes/routes.ts'
import { renderingDataRoutes } from './rendering-data/routes.ts'
import { previewContent, previewSignature } from './rules.ts'
import { CampaignQuery, InstallablePreview, SignaturePreviewQuery } from './schemas.ts'
import { testMailRoutes } from './test-mails/routes.ts'

interface PreviewDeps extends RenderDeps {
  readonly draw: DrawPicture
  /** True if a mail server is configured. */
  readonly sendsMail: boolean
}

export const previewRoutes = (deps: PreviewDeps): readonly Route[] => [
  ...signaturePreviewRoutes(deps),
  ...contentPreviewRoutes(deps),
  ...changePreviewRoutes(deps),
  ...renderingDataRoutes(deps),
  ...testMailRoutes(deps),
]

const pictureNotes =
  'The picture is drawn by a browser at two pixels per CSS pixel, without scripts. Pictures that the content names by `src` are fetched from their servers, each within three seconds. The header `X-Signoff-Warnings` names what is missing: `missing_glyph;characters="U+1234"` for letters that no font has, `missing_picture;count=1` for pictures that could not be loaded.'

const signaturePreviewRoutes = (deps: PreviewDeps): readonly Route[] => [
  route({
    name: 'signatures.preview',
    method: 'GET',
    path: '/v1/signatures/{id}/preview',
    access: 'signatures:read',
    summary: 'A signature as HTML and as text, without tracking',
    description:
      'Renders the draft, or the published content, with the values of an address or with placeholders. It shows the campaign that runs for this address, as an installation does; `campaign` chooses another one. Links and pixel are not tracked; `installed_bytes` is the size that mailboxes get, to be compared with the 10,000 bytes that Gmail takes. Nothing is stored.',
    query: SignaturePreviewQuery,
    errors: ['unknown_reference'],
    answers: { 200: dataOf(InstallablePreview) },
    handle: async ({ db, by: { workspaceId }, params, query }) =>
      ok(await previewSignature(db, { ...deps, workspaceId }, params.id, query)),
  }),
  route({
    name: 'signatures.previewPng',
    method: 'GET',
    path: '/v1/signatures/{id}/preview.png',
    access: 'signatures:read',
    summary: 'A signature as a picture',
    description: `The same preview as a PNG, on the background of a mail client. ${pictureNotes}`,
    query: Type.Object({ ...SignaturePreviewQuery.properties, ...PictureQuery.properties }),
    errors: ['preview_unavailable', 'unknown_reference'],
    answers: { 200: Png },
    async handle({ db, by: { workspaceId }, params, query }) {
      const { html } = await previewSignature(db, { ...deps, workspaceId }, params.id, query)
      return picture(await deps.draw(html, pictureOptionsOf(query)))
    },
  }),
]

const contentPreviewRoutes = (deps: PreviewDeps): readonly Route[] => [
  route({
    name: 'content.preview',
    method: 'POST',
    path: '/v1/content/preview',
    access: 'signatures:read',
    summary: 'Validate and render content without keeping it',
    description:
      'Checks the content as a draft would be checked and renders it with the values of an address or with placeholders. The content belongs to no signature, so of the running campaigns only those for all signatures are shown; `campaign` chooses any campaign. `installed_bytes` is the size with tracked links and the pixel. Nothing is stored.',
    query: CampaignQuery,
    body: plainBody(PreviewInput),
    answers: { 200: dataOf(InstallablePreview) },
    handle: async ({ db, by: { workspaceId }, query, body }) =>
      ok(await previewContent(db, { ...deps, workspaceId }, body, query.campaign)),
  }),
  route({
    name: 'content.previewPng',
    method: 'POST',
    path: '/v1/content/preview.png',
    access: 'signatures:read',
    summary: 'The same as a picture',
    description: `Checks and renders content as \`POST /v1/content/preview\` does, and answers with a PNG. ${pictureNotes}`,
    query: Type.Object({ ...CampaignQuery.properties, ...PictureQuery.properties }),
    body: plainBody(PreviewInput),
    errors: ['preview_unavailable'],
    answers: { 200: Png },
    async handle({ db, by: { workspaceId }, query, body }) {
      const { html } = await previewContent(db, { ...deps, workspaceId }, body, query.campaign)
      return picture(await deps.draw(html, pictureOptionsOf(query)))
    },
  }),
]
