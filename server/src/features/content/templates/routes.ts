import { Type } from 'typebox'
import { BrandPatch, brandProblems } from '#features/content/brand/index.ts'
import type { DrawPicture } from '#features/content/content/index.ts'
import { ContentTree } from '#features/content/content/index.ts'
import { pageOf, pageQuery, paginate } from '#kernel/api/pagination.ts'
import { dataOf, list, maybeWrappedBody, ok, publicRoute, type Route, route } from '#kernel/api/routes.ts'
import { OneOf } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { apiError, orNotFound } from '#kernel/base/errors.ts'
import { templateCategories } from './design.ts'
import { designs } from './designs/index.ts'
import { type FilledTemplate, fillTemplates, findDesign, templateIds } from './rules.ts'
import { createThumbnails, thumbnailFolder, thumbnailUrls } from './thumbnails.ts'

const Template = NamedObject('Template', {
  id: Type.String({
    description: 'The slug: `template_id` of a new signature.',
    examples: ['corporate-classic'],
  }),
  name: Type.String(),
  description: Type.String(),
  category: OneOf(templateCategories),
  content: ContentTree(),
  fields: Type.Array(Type.String(), { description: 'The labels of the smart fields that it shows.' }),
  thumbnail_url: Type.String({
    format: 'uri',
    description: 'A PNG with sample data, public and cacheable.',
  }),
})

interface TemplateDeps {
  readonly publicUrl: string
}

export function templateRoutes({ publicUrl }: TemplateDeps): readonly Route[] {
  const urlOf = thumbnailUrls(publicUrl)
  const toResource = (template: FilledTemplate) => ({ ...template, thumbnail_url: urlOf(template.id) })
  return [
    route({
      name: 'templates.list',
      method: 'GET',
      path: '/v1/templates',
      access: 'signatures:read',
      summary: 'List templates: finished signatures to start from',
      description:
        'Templates for nine kinds of use, each already filled with the brand and the smart fields of this workspace. `content` can be previewed with `POST /v1/content/preview`, changed, and sent as the draft of a signature; `POST /v1/signatures` also takes the id of a template as `template_id`. `fields` names the smart fields that a template shows: values that a teammate lacks leave no holes. `thumbnail_url` is a picture with sample data, which needs no key.',
      query: Type.Object(pageQuery),
      answers: { 200: pageOf(Template) },
      async handle({ db, by, query }) {
        const start = (query.page - 1) * query.limit
        const templates = await fillTemplates(db, by.workspaceId, designs.slice(start, start + query.limit))
        return list({
          data: JSON.stringify(templates.map(toResource)),
          pagination: paginate(query, designs.length),
        })
      },
    }),
    route({
      name: 'templates.get',
      method: 'GET',
      path: '/v1/templates/{id}',
      words: { id: templateIds },
      access: 'signatures:read',
      summary: 'Read a template',
      description:
        'One template by its slug, such as `corporate-classic`, filled with the brand and the smart fields of this workspace. Slugs are the same in every workspace and do not change. An unknown slug gets 404.',
      answers: { 200: dataOf(Template) },
      async handle({ db, by, params }) {
        const design = orNotFound(findDesign(params.id))
        const [template] = await fillTemplates(db, by.workspaceId, [design])
        return ok(toResource(orNotFound(template)))
      },
    }),
    route({
      name: 'templates.fill',
      method: 'POST',
      path: '/v1/templates/{id}/fill',
      words: { id: templateIds },
      access: 'signatures:read',
      summary: 'Fill a template with a brand that is not saved yet',
      description:
        'The template as `GET /v1/templates/{id}` would show it after a change of the brand: the values that are sent replace those of the brand, null clears a value. Nothing is stored. Use it to show how a new logo, colour or font looks before it is saved with `PATCH /v1/workspace/brand`; `POST /v1/content/preview` draws the `content`. A logo that is no asset of this workspace is left out.',
      body: maybeWrappedBody('brand', BrandPatch, { problems: brandProblems }),
      answers: { 200: dataOf(Template) },
      async handle({ db, by, params, body }) {
        const design = orNotFound(findDesign(params.id))
        const [template] = await fillTemplates(db, by.workspaceId, [design], body)
        return ok(toResource(orNotFound(template)))
      },
    }),
  ]
}

const headers = {
  'content-type': 'image/png',
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  // Galleries of other origins show the picture.
  'cross-origin-resource-policy': 'cross-origin',
}

export function templateFileRoutes({
  publicUrl,
  draw,
}: TemplateDeps & { readonly draw: DrawPicture }): readonly Route[] {
  const read = createThumbnails(publicUrl, draw)
  return [
    {
      ...publicRoute(
        `${thumbnailFolder}{file}`,
        'A thumbnail of a template',
        { 200: Type.String({ format: 'binary' }), 304: null },
        async ({ params: { file = '' } }) => {
          const body = await read(file)
          if (!body) throw apiError('not_found', { message: 'There is no such thumbnail.' })
          return { status: 200, body, headers: { ...headers, etag: `"${file}"` } }
        },
      ),
      errors: ['preview_unavailable'],
    },
  ]
}
