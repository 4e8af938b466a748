import { type Static, Type } from 'typebox'
import { ContentTree, Warning } from '#features/content/content/index.ts'
import { Nullable, OneOf, Text, Uuid } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { noteCodes } from './notes.ts'

export const maxImportBytes = 256 * 1024

export const ContentImportInput = NamedObject(
  'ContentImportInput',
  {
    html: Text(maxImportBytes, {
      description:
        'A signature as it is today: at most 256 KB of HTML, copied from a mail client or from a generator of signatures.',
    }),
    email_id: Type.Optional(
      Uuid({ description: 'The address whose signature this is. Values of its owner become smart fields.' }),
    ),
  },
  {
    examples: [
      {
        html: '<table cellpadding="0" cellspacing="0"><tr><td style="border-right:2px solid #1f5fbf;padding-right:12px"><b style="color:#1f2937">Ada Lovelace</b><br>Head of Analysis</td><td style="padding-left:12px">T <a href="tel:+442079460101">+44 20 7946 0101</a><br><a href="mailto:ada@example.com">ada@example.com</a></td></tr></table>',
      },
    ],
  },
)
export type ContentImportInput = Static<typeof ContentImportInput>

export const ContentImport = NamedObject('ContentImport', {
  content: ContentTree(),
  warnings: Type.Array(Warning, { description: 'What a preview of the content warns of.' }),
  fields: Type.Array(
    ClosedObject({
      token_id: Type.String({ description: 'The token, or the block whose link it is.' }),
      value: Type.String({ description: 'The text that the smart field replaced.' }),
      smart_field_id: Uuid(),
      confidence: Type.Number({ description: 'From 0 to 1; 1 is an equal text.' }),
    }),
  ),
  not_mapped: Type.Array(
    ClosedObject({
      code: OneOf(noteCodes),
      what: Type.String(),
      where: Nullable<string>(Type.String({ description: 'The path of its element; null for the whole.' })),
    }),
    { description: 'What was left out or changed. Nothing else was.' },
  ),
})
