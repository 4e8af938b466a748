import { Type } from 'typebox'
import { type DrawPicture, PictureQuery, Preview, pictureOptionsOf } from '#features/content/index.ts'
import { dataOf, ok, Png, png, type Route, route } from '#kernel/routes.ts'
import { OneOf, Uuid } from '#kernel/validation.ts'
import { type PreviewDeps, previewSignature, previewSources } from './rules.ts'

interface SignaturePreviewDeps extends PreviewDeps {
  readonly draw: DrawPicture
}

const previewQuery = {
  source: Type.Optional(OneOf(previewSources, { description: 'Left out: the draft where there is one.' })),
  email_id: Type.Optional(Uuid({ description: 'Whose values to fill in. Left out: placeholders.' })),
}

export const previewRoutes = ({ draw, ...deps }: SignaturePreviewDeps): readonly Route[] => [
  route({
    name: 'signatures.preview',
    method: 'GET',
    path: '/v1/signatures/{id}/preview',
    access: 'signatures:read',
    summary: 'A signature as HTML and as text, without tracking',
    query: Type.Object(previewQuery),
    answers: { 200: dataOf(Preview) },
    handle: async ({ db, by, params, query }) =>
      ok(await previewSignature(db, by.workspaceId, params.id, query, deps)),
  }),
  route({
    name: 'signatures.previewPng',
    method: 'GET',
    path: '/v1/signatures/{id}/preview.png',
    access: 'signatures:read',
    summary: 'A signature as a picture',
    query: Type.Object({ ...previewQuery, ...PictureQuery.properties }),
    answers: { 200: Png },
    async handle({ db, by, params, query }) {
      const { html } = await previewSignature(db, by.workspaceId, params.id, query, deps)
      return png(await draw(html, pictureOptionsOf(query)))
    },
  }),
]
