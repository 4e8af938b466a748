import { Type } from 'typebox'
import { ContentTree } from '#features/content/content/index.ts'
import { OneOf } from '#kernel/api/validation.ts'
import { templateCategories } from './design.ts'

export const Template = Type.Object(
  {
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
  },
  { title: 'Template', additionalProperties: false },
)
