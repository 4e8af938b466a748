import { type Static, Type } from 'typebox'
import { examplePicture, imageFile } from '#features/content/assets/index.ts'
import { Nullable, NullableText, OneOf, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'

const fraction = (options: object) => Type.Number({ minimum: 0, maximum: 1, ...options })

export const ImageCrop = ClosedObject({
  x: fraction({ description: 'The left edge of the part that is shown, as a fraction of the width.' }),
  y: fraction({ description: 'Its upper edge, as a fraction of the height.' }),
  width: fraction({ minimum: 0.01 }),
  height: fraction({ minimum: 0.01 }),
})

export const TeammateImage = NamedObject(
  'TeammateImage',
  {
    ...imageFile,
    asset_id: Type.Optional(
      Nullable<string>(Uuid({ description: 'An image of the library, instead of a file.' })),
    ),
    crop: Type.Optional(
      Nullable<Static<typeof ImageCrop>>({
        ...ImageCrop,
        description: 'The part that is shown. Unless given, a square around what people look at.',
      }),
    ),
  },
  {
    examples: [
      {
        file_base64: examplePicture,
        filename: 'ada.png',
        crop: { x: 0.1, y: 0, width: 0.8, height: 0.8 },
      },
    ],
  },
)

export const pictureFetchStatuses = ['pending', 'failed'] as const
export type PictureFetchStatus = (typeof pictureFetchStatuses)[number]

export const PictureFetch = NamedObject('PictureFetch', {
  id: Uuid(),
  teammate_id: Uuid(),
  email: Nullable<string>(Type.String({ description: 'The primary address of the teammate.' })),
  smart_field_id: Uuid(),
  url: Type.String(),
  status: OneOf(pictureFetchStatuses),
  code: Nullable<string>(
    Type.String({
      description:
        'Why the last attempt failed: `invalid` (not an image, or not a public address), `out_of_range` (too large), `unreachable`, `unavailable` (tried again), `directory_managed`. Null before the first attempt.',
    }),
  ),
  message: NullableText(),
  attempts: Type.Integer(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
})
