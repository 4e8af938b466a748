import { contentSchema, enums } from '@signoff/render'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { dataOf, ok, type Route, route } from '#kernel/api/routes.ts'
import type { DrawnPicture } from '#kernel/http/picture-answers.ts'
import { exampleContentFor } from './rules.ts'
import { ContentSchema, type PictureOptions } from './schemas.ts'

/** Renders HTML to a PNG. */
export type DrawPicture = (html: string, options: PictureOptions) => Promise<DrawnPicture>

export const contentRoutes: readonly Route[] = [
  route({
    name: 'content.schema',
    method: 'GET',
    path: '/v1/content_schema',
    access: 'any key',
    summary: 'The blocks that content is made of, with a worked example',
    description:
      'Everything needed to write content: a JSON Schema of the blocks, the allowed names (icons, fonts, shapes) and a worked example that `POST /v1/signatures` accepts.',
    answers: { 200: dataOf(ContentSchema) },
    async handle({ db, by }) {
      const example = exampleContentFor(await smartFieldsOf(db, by.workspaceId))
      return ok({ schema: contentSchema, enums, example })
    },
  }),
]
