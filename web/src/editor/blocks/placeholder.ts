// What the canvas shows in the place of a block that a mail leaves out because it is empty.
import type { Token } from '@signoff/render'
import { type AnyBlock, childrenOf } from '#records/content/block.ts'
import type { BlockOf, PlaceholderMessages } from './descriptor.ts'

/** `withPlaceholderPicture` of rendering/picture-hooks.ts draws this asset. */
export const placeholderAsset = 'placeholder'

/** Leads nowhere: blocks that are links are drawn only with a target. */
export const placeholderLink = { text: 'https://example.com/' }
const quiet = '#667085'

export const quietLine = (value: string): BlockOf<'text'> => ({
  type: 'text',
  tokens: [{ value, textStyle: { color: quiet } }],
})

/** Lines alone are left out with the blocks between them. */
export const isHollow = (block: AnyBlock): boolean =>
  !childrenOf(block).some(child => child.visible !== false && child.type !== 'divider')

/** Smart fields without a value show their labels in braces. */
export function shownTokens(
  tokens: readonly Token[],
  { fieldLabel, emptyText }: PlaceholderMessages,
): Token[] {
  const labelled = tokens.map(token =>
    token.smartFieldUuid === undefined
      ? token
      : { ...token, fallback: `{${fieldLabel(token.smartFieldUuid.toLowerCase()) ?? '?'}}` },
  )
  if (labelled.some(({ smartFieldUuid, value }) => smartFieldUuid !== undefined || value)) return labelled
  const [first = {}] = labelled
  return [{ ...first, value: emptyText, textStyle: { ...first.textStyle, color: quiet } }]
}
