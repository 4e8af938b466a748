import { buttonPadding, contrastBounds, mailPapers, papersBehind } from '@signoff/render'
import { newId } from '#records/content/ids.ts'
import { hexColor } from '../model/colors.ts'
import { textChecks, wordColors } from '../model/contrast.ts'
import { type BlockDescriptor, type BlockOf, defaultAccent, spaceAbove } from './descriptor.ts'
import { placeholderLink, shownTokens } from './placeholder.ts'

export const button: BlockDescriptor<BlockOf<'button'>> = {
  label: { en: 'Button', de: 'Schaltfläche' },
  icon: 'rectangle-horizontal',
  offers: [
    {
      label: { en: 'Button', de: 'Schaltfläche' },
      icon: 'rectangle-horizontal',
      make: ({ brand, messages }) => ({
        type: 'button',
        id: newId(),
        tokens: [{ id: newId(), value: messages.button, textStyle: { fontSize: 13 } }],
        href: { text: brand?.website ?? 'https://example.com' },
        ...spaceAbove,
        backgroundColor: brand?.colors.primary ?? defaultAccent,
      }),
    },
  ],
  placeholder: (block, messages) => ({
    ...block,
    tokens: shownTokens(block.tokens, messages),
    href: placeholderLink,
  }),
  standards: () => ({ borderRadius: 4 }),
  padding: buttonPadding,
  contrast: {
    color: (block, surface) => textChecks(surface, block, block.tokens),
    backgroundColor(block, surface) {
      if (block.variant === 'outline') return papersBehind(surface, contrastBounds.large)
      const other = wordColors(block)[0] ?? hexColor(block.color) ?? mailPapers.light
      return [{ place: 'content', other, minimum: contrastBounds.text }]
    },
  },
}
