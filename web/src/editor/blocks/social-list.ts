// Links to social networks.
import type { IconName } from '@signoff/render'
import type { Brand } from '@signoff/sdk'
import { childrenOf, withChildren } from '#records/content/block.ts'
import { newId } from '#records/content/ids.ts'
import { blocksIn } from '../model/tree.ts'
import { type BlockDescriptor, type BlockOf, type NewBlockData, spaceAbove } from './descriptor.ts'
import { iconContrast } from './icon.ts'
import { isHollow, placeholderLink } from './placeholder.ts'

/** The style of the links that the signature has already. */
function styleInTree({ tree }: NewBlockData) {
  const block = tree && [...blocksIn(tree)].find(({ type }) => type === 'socialList')
  if (block?.type !== 'socialList') return {}
  const { iconSize, color, backgroundColor, shape } = block
  return {
    ...(iconSize !== undefined && { iconSize }),
    ...(color && { color }),
    ...(backgroundColor && { backgroundColor }),
    ...(shape && { shape }),
  }
}

const newLinks = (brand: Brand | undefined) =>
  (brand?.social.length ? brand.social : [{ name: 'linkedin-in', href: 'https://www.linkedin.com' }]).map(
    link => ({
      type: 'socialListItem' as const,
      id: newId(),
      name: link.name as IconName,
      href: { text: link.href },
    }),
  )

export const socialList: BlockDescriptor<BlockOf<'socialList'>> = {
  label: { en: 'Social links', de: 'Soziale Netzwerke' },
  icon: 'share-2',
  offers: [
    {
      label: { en: 'Social links', de: 'Soziale Netze' },
      icon: 'share-2',
      make: data => ({
        type: 'socialList',
        id: newId(),
        ...styleInTree(data),
        ...spaceAbove,
        children: newLinks(data.brand),
      }),
    },
  ],
  placeholder: (block, { dropHere }) =>
    isHollow(block)
      ? withChildren(block, [
          ...childrenOf(block),
          { type: 'socialListItem', name: 'link', href: placeholderLink, alt: dropHere },
        ])
      : block,
  standards: () => ({ iconSize: 24, gap: 8 }),
  section: 'links',
  contrast: iconContrast,
}

export const socialListItem: BlockDescriptor<BlockOf<'socialListItem'>> = {
  label: { en: 'Social link', de: 'Soziales Netzwerk' },
  icon: 'link',
  offers: [
    {
      label: { en: 'Social link', de: 'Social-Link' },
      icon: 'link',
      make: ({ brand }) => newLinks(brand)[0] ?? null,
    },
  ],
  nameOf: ({ name }, { iconName }) => iconName(name as IconName),
  placeholder: block => ({ ...block, href: placeholderLink }),
  isPart: true,
}
