import { Type } from 'typebox'
import { Text, Timestamp, Uuid } from '#kernel/api/validation.ts'

export const Folder = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    signature_count: Type.Integer(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Folder', additionalProperties: false },
)

const name = Text(200, { examples: ['Sales'] })

export const FolderInput = Type.Object({ name }, { title: 'FolderInput', additionalProperties: false })
export const FolderPatch = Type.Partial(FolderInput, { title: 'FolderPatch', additionalProperties: false })
