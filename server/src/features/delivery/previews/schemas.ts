import { type Static, Type } from 'typebox'
import { Preview } from '#features/content/content/index.ts'
import { OneOf, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'

const id = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

export const CampaignQuery = Type.Object({
  campaign: Type.Optional(
    Type.String({
      pattern: `^(none|${id})$`,
      description:
        'The campaign to show, in any state, or `none`. Left out: the one that runs for the address; without an address, the one that every recipient sees.',
    }),
  ),
})

const previewSources = ['draft', 'published'] as const

export const SignaturePreviewQuery = Type.Object({
  source: Type.Optional(OneOf(previewSources, { description: 'Left out: the draft where there is one.' })),
  email_id: Type.Optional(Uuid({ description: 'Whose values to fill in. Left out: placeholders.' })),
  ...CampaignQuery.properties,
})
export type SignaturePreviewQuery = Static<typeof SignaturePreviewQuery>

export const InstallablePreview = NamedObject('InstallablePreview', {
  ...Preview.properties,
  bytes: Type.Integer({ description: 'Of this HTML, in UTF-8.' }),
  installed_bytes: Type.Integer({
    description:
      'Of the same HTML with tracked links and the pixel, as mailboxes get it. Gmail takes at most 10,000.',
  }),
})
