import { Type } from 'typebox'
import { ContentTree } from '#features/content/content/index.ts'
import { Nullable, Timestamp, Uuid } from '#kernel/api/validation.ts'

const baseFields = {
  id: Uuid(),
  number: Type.Integer({ description: 'From 1, without gaps.' }),
  published_at: Timestamp(),
  published_by: Type.String({ description: 'The address of the member who published it.' }),
  note: Nullable<string>(Type.String({ description: 'Where its draft came from, if from another version.' })),
}

export const SignatureVersionListItem = Type.Object(baseFields, {
  title: 'SignatureVersionListItem',
  additionalProperties: false,
})

export const SignatureVersion = Type.Object(
  { ...baseFields, content: ContentTree() },
  { title: 'SignatureVersion', additionalProperties: false },
)
