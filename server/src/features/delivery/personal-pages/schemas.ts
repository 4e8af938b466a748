import { Type } from 'typebox'
import { examplePicture } from '#features/content/assets/index.ts'
import { ImageCrop } from '#features/people/teammates/index.ts'
import { FileInBase64, Nullable, OneOf, Text, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'

export const PersonalPage = NamedObject('PersonalPage', {
  email_id: Uuid(),
  url: Type.String({
    format: 'uri',
    description: 'For the owner of the address. It needs no password: give it to no other person.',
  }),
  created_at: Timestamp({ description: 'When the page got this address.' }),
  expires_at: Nullable<string>(
    Timestamp({
      description:
        'When the address gets old: see `personal_page_link_days` of the workspace. It then shows a button that mails a fresh one. Null: never.',
    }),
  ),
})

export const CopiedQuery = Type.Object({
  version: Type.Optional(
    Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Which signature, by the SHA-256 of its HTML.' }),
  ),
})

export const Copied = NamedObject('SignatureCopied', {
  state: OneOf(['current', 'outdated', 'none'], { description: 'Of what was copied.' }),
})

/** The page makes a small JPEG of what the visitor chooses. */
export const OwnPicture = NamedObject(
  'OwnPicture',
  {
    smart_field_id: Uuid(),
    file_base64: FileInBase64(),
    filename: Text(255),
    crop: Type.Optional(ImageCrop),
  },
  {
    examples: [
      {
        smart_field_id: '01a1e0a4-15b9-71f7-98af-f25f4b8294b4',
        file_base64: examplePicture,
        filename: 'ada.png',
      },
    ],
  },
)

export const OwnPictureSaved = NamedObject('OwnPictureSaved', {
  state: OneOf(['saved', 'waiting'], { description: '`waiting`: a manager decides.' }),
})
