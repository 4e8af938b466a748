import { contrastBounds, type IconName, mailPapers, papersBehind } from '@signoff/render'
import { newId } from '#records/content/ids.ts'
import { hexColor } from '../model/colors.ts'
import { type BlockDescriptor, type BlockOf, defaultAccent } from './descriptor.ts'

export const iconContrast: NonNullable<BlockDescriptor<BlockOf<'icon' | 'socialList'>>['contrast']> = {
  color: ({ backgroundColor }, surface) =>
    papersBehind(hexColor(backgroundColor) ?? surface, contrastBounds.large),
  backgroundColor: ({ color }) => [
    { place: 'content', other: hexColor(color) ?? mailPapers.light, minimum: contrastBounds.large },
  ],
}

export const icon: BlockDescriptor<BlockOf<'icon'>> = {
  label: { en: 'Icon', de: 'Symbol' },
  icon: 'star',
  offers: [
    {
      label: { en: 'Icon', de: 'Symbol' },
      icon: 'star',
      make: ({ brand }) => ({
        type: 'icon',
        id: newId(),
        name: 'star',
        size: 20,
        color: brand?.colors.primary ?? defaultAccent,
      }),
    },
  ],
  nameOf: ({ name }, { iconName }) => iconName(name as IconName),
  standards: () => ({ size: 24 }),
  corner: { name: 'size', least: 8 },
  contrast: iconContrast,
}
