import type { Content } from '@signoff/render'
import { type Static, type TUnsafe, Type } from 'typebox'
import { OneOf, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'

/** The renderer validates the blocks, so this schema does not describe them; `GET /v1/content_schema` does. */
export const ContentTree = (): TUnsafe<Content> =>
  Type.Unsafe<Content>({
    type: 'object',
    title: 'Content',
    description: 'A tree of blocks with one `stack` at its root: see `GET /v1/content_schema`.',
    examples: [
      { type: 'stack', children: [{ type: 'text', tokens: [{ type: 'textToken', value: 'Hello' }] }] },
    ],
  })

export const PreviewInput = ClosedObject({
  content: ContentTree(),
  email_id: Type.Optional(Uuid({ description: 'Whose values to fill in. Left out: placeholders.' })),
})

export type PreviewInput = Static<typeof PreviewInput>

const themes = ['light', 'dark'] as const
const widths = ['desktop', 'phone'] as const

export interface PictureOptions {
  readonly theme: (typeof themes)[number]
  readonly width: (typeof widths)[number]
}

/** The theme and width of a preview picture. */
export const PictureQuery = Type.Object({
  theme: Type.Optional(OneOf(themes, { default: 'light' })),
  width: Type.Optional(OneOf(widths, { default: 'desktop' })),
})
export const pictureOptionsOf = ({
  theme = 'light',
  width = 'desktop',
}: Static<typeof PictureQuery>): PictureOptions => ({
  theme,
  width,
})

export const Warning = NamedObject('ContentWarning', {
  code: Type.String(),
  message: Type.String(),
  id: Type.Union([Type.String(), Type.Null()], {
    description: 'The block or token it is about; null for the whole.',
  }),
})

export const Preview = ClosedObject({
  html: Type.String(),
  text: Type.String(),
  bytes: Type.Integer({ description: 'Of the HTML, in UTF-8.' }),
  warnings: Type.Array(Warning),
})

export const ContentSchema = ClosedObject({
  schema: Type.Unknown({ description: 'JSON Schema 2020-12' }),
  enums: Type.Record(Type.String(), Type.Array(Type.String())),
  example: ContentTree(),
})
