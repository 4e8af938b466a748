import type { Content } from '@signoff/render'
import { type Static, type TUnsafe, Type } from 'typebox'
import { ContentTree } from '#features/content/content/index.ts'
import { sortQuery } from '#kernel/api/sorting.ts'
import {
  NullableTimestamp,
  NullableUuid,
  OneOf,
  Text,
  Timestamp,
  Uuid,
  updatedSince,
} from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'
import { signatureSorts, signatureStates } from './queries.ts'

/** A content tree or null. Null comes first in `anyOf`, so the error for another type says “must be object”. */
export function NullableContent(description: string): TUnsafe<Content | null> {
  const tree = ContentTree()
  const { examples } = tree as { examples?: unknown }
  return Type.Unsafe<Content | null>({ anyOf: [{ type: 'null' }, tree], description, examples })
}

const baseFields = {
  id: Uuid(),
  name: Type.String(),
  priority: Type.Integer({ description: 'Of the signatures that reach an address, the lowest wins.' }),
  signature_installation_activated: Type.Boolean(),
  folder_id: NullableUuid(),
  last_published_at: NullableTimestamp(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
}
const contents = {
  content: NullableContent('The published layout.'),
  draft_content: NullableContent('The layout that the next publish makes live.'),
}

export const SignatureListItem = NamedObject('SignatureListItem', {
  ...baseFields,
  content: Type.Optional(contents.content),
  draft_content: Type.Optional(contents.draft_content),
})

export const Signature = NamedObject('Signature', {
  ...baseFields,
  ...contents,
  has_unpublished_changes: Type.Boolean({
    description: 'There is a draft, and it differs from the content.',
  }),
})
export type Signature = Static<typeof Signature>

const name = Text(200, { examples: ['Standard'] })
const folder = Type.Optional(NullableUuid())

const changeable = {
  name,
  draft_content: Type.Optional(NullableContent('Changes the draft alone; null clears it.')),
  folder_id: folder,
  priority: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'The lowest wins. Left out when created: after all others.',
    }),
  ),
}

export const SignatureInput = NamedObject('SignatureInput', {
  ...changeable,
  template_id: Type.Optional(
    Text(100, {
      description:
        'The slug of a template (`GET /v1/templates`): the draft is the template, filled with the brand. Not together with `draft_content`.',
    }),
  ),
})
export type SignatureInput = Static<typeof SignatureInput>

export const SignaturePatch = Type.Partial(Type.Object(changeable), {
  title: 'SignaturePatch',
  additionalProperties: false,
})
export type SignaturePatch = Static<typeof SignaturePatch>

export const DuplicateInput = NamedObject('SignatureDuplicateInput', {
  name: Type.Optional(Text(200, { description: 'Left out: the name of the original with “ (Copy)”.' })),
  folder_id: folder,
})
export type DuplicateInput = Static<typeof DuplicateInput>

const id = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

export const filters = {
  folder_id: Type.Optional(
    Type.String({
      pattern: `^(none|${id})$`,
      description: 'Only those in this folder; `none`: those outside folders.',
    }),
  ),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Part of the name, in upper or lower case.' }),
  ),
  include_content: Type.Optional(
    Type.Boolean({ default: false, description: 'Adds `content` and `draft_content` to each.' }),
  ),
  status: Type.Optional(
    OneOf(signatureStates, {
      description:
        'Only those that were never published (`draft`), are published and active (`live`) or deactivated (`inactive`), or have changes since (`changed`).',
    }),
  ),
  ...updatedSince,
  ...sortQuery(signatureSorts),
}
