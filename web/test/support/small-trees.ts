// Small trees with names that a person can read.
import type { Content } from '@signoff/render'

export const namedText = (id: string, value: string) => ({
  type: 'text' as const,
  id,
  tokens: [{ id: `${id}-t`, value }],
})

export const rootOf = (...children: readonly ReturnType<typeof namedText>[]): Content => ({
  type: 'stack',
  id: 'root',
  children,
})
