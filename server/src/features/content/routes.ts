import { contentSchema, enums } from '@signoff/render'
import type { ContactCards } from '#features/contact-cards/index.ts'
import { smartFieldsOf } from '#features/smart-fields/index.ts'
import type { Db } from '#kernel/db.ts'
import { invalid } from '#kernel/errors.ts'
import { dataOf, ok, Png, plainBody, png, type Route, route } from '#kernel/routes.ts'
import { type DrawnPreview, renderPreview } from './preview.ts'
import { acceptContent, exampleContentFor } from './rules.ts'
import {
  ContentSchema,
  type PictureOptions,
  PictureQuery,
  Preview,
  PreviewInput,
  pictureOptionsOf,
} from './schemas.ts'

/** Renders HTML to a PNG. */
export type DrawPicture = (html: string, options: PictureOptions) => Promise<Buffer>

interface ContentDeps {
  readonly publicUrl: string
  readonly cards: ContactCards
  readonly draw: DrawPicture
}

export function contentRoutes({ publicUrl, cards, draw }: ContentDeps): readonly Route[] {
  async function previewOf(
    db: Db,
    workspaceId: string,
    { content, email_id }: PreviewInput,
  ): Promise<DrawnPreview> {
    const accepted = await acceptContent(db, workspaceId, content, { field: 'content' })
    const drawn = await renderPreview(db, {
      workspaceId,
      publicUrl,
      cards,
      ...accepted,
      emailId: email_id ?? null,
    })
    if (!drawn) throw invalid('email_id', 'unknown_reference')
    return drawn
  }
  return [
    route({
      name: 'content.schema',
      method: 'GET',
      path: '/v1/content_schema',
      access: 'any key',
      summary: 'The blocks that content is made of, with a worked example',
      answers: { 200: dataOf(ContentSchema) },
      async handle({ db, by }) {
        const example = exampleContentFor(await smartFieldsOf(db, by.workspaceId))
        return ok({ schema: contentSchema, enums, example })
      },
    }),
    route({
      name: 'content.preview',
      method: 'POST',
      path: '/v1/content/preview',
      access: 'signatures:read',
      summary: 'Validate and render content without keeping it',
      body: plainBody(PreviewInput),
      answers: { 200: dataOf(Preview) },
      async handle({ db, by: { workspaceId }, body }) {
        return ok(await previewOf(db, workspaceId, body))
      },
    }),
    route({
      name: 'content.previewPng',
      method: 'POST',
      path: '/v1/content/preview.png',
      access: 'signatures:read',
      summary: 'The same as a picture',
      query: PictureQuery,
      body: plainBody(PreviewInput),
      answers: { 200: Png },
      async handle({ db, by: { workspaceId }, query, body }) {
        const { html } = await previewOf(db, workspaceId, body)
        return png(await draw(html, pictureOptionsOf(query)))
      },
    }),
  ]
}
