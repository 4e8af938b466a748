import { type Static, Type } from 'typebox'
import { Text, Timestamp, Uuid } from '#kernel/api/validation.ts'
import { NamedObject } from '#kernel/base/closed.ts'

export const Folder = NamedObject('Folder', {
  id: Uuid(),
  name: Type.String(),
  signature_count: Type.Integer(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
})
export type Folder = Static<typeof Folder>

const name = Text(200, { examples: ['Sales'] })

export const FolderInput = NamedObject('FolderInput', { name })
export const FolderPatch = Type.Partial(FolderInput, { title: 'FolderPatch', additionalProperties: false })
