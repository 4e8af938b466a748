import { Type } from 'typebox'
import type { Base64File } from '#kernel/api/file-in-body.ts'
import { FileInBase64, Nullable, OneOf, Text, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'

export const assetRoles = ['company_logo', 'profile_picture', 'banner'] as const
export type AssetRole = (typeof assetRoles)[number]
const contentTypes = ['image/png', 'image/jpeg', 'image/gif'] as const
export type ContentType = (typeof contentTypes)[number]

const role = Nullable<AssetRole>(OneOf(assetRoles))

export const Asset = NamedObject('Asset', {
  id: Uuid(),
  name: Type.String(),
  filename: Type.String(),
  role,
  content_type: OneOf(contentTypes, { description: 'Of the file at `url`: WebP and SVG become PNG.' }),
  byte_size: Type.Integer(),
  width: Type.Integer({ description: 'In pixels.' }),
  height: Type.Integer({ description: 'In pixels.' }),
  animated: Type.Boolean(),
  url: Type.String({
    format: 'uri',
    description: 'The file. It needs no credential: its address is enough.',
  }),
  in_use: Type.Boolean({ description: 'Something refers to it; deleted, it goes on being served.' }),
  signature_template_count: Type.Integer(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
})

const name = Text(200)
export const examplePicture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The properties of a request that bring the file of an image. */
export const imageFile = {
  file_base64: Type.Optional(
    Nullable<Base64File>(
      FileInBase64({
        description:
          'The bytes of a PNG, JPEG, GIF, WebP or SVG: at most 15 MB, 25 megapixels and 100 frames (40 megapixels together). Either this, with `filename`, or `source_url`.',
      }),
    ),
  ),
  filename: Type.Optional(Nullable<string>(Text(255))),
  source_url: Type.Optional(
    Nullable<string>(
      Text(2_048, { description: 'A public http(s) address to fetch the file from, within 10 seconds.' }),
    ),
  ),
}

export const AssetInput = NamedObject(
  'AssetInput',
  {
    ...imageFile,
    name: Type.Optional(Nullable<string>({ ...name, description: 'Unless given, the name of the file.' })),
    role: Type.Optional(role),
  },
  { examples: [{ file_base64: examplePicture, filename: 'logo.png', name: 'Logo', role: 'company_logo' }] },
)

export const AssetPatch = NamedObject('AssetPatch', {
  name: Type.Optional({ ...name, examples: ['Logo'] }),
  role: Type.Optional(role),
})

export const search = Text(200, { description: 'Only those with this text in their name or file name.' })
