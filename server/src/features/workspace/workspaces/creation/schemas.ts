import { Type } from 'typebox'
import { Text } from '#kernel/api/validation.ts'

export const WorkspaceInput = Type.Object(
  {
    name: Text(200, {
      examples: ['Northbean Coffee'],
      description: 'The name of the company, as people see it in mails and on pages.',
    }),
  },
  { title: 'WorkspaceInput', additionalProperties: false },
)
