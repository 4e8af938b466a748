// The place for the banner of a campaign.
import { newId } from '#records/content/ids.ts'
import type { BlockDescriptor, BlockOf } from './descriptor.ts'
import { quietLine } from './placeholder.ts'

export const marketing: BlockDescriptor<BlockOf<'marketing'>> = {
  label: { en: 'Campaign banner', de: 'Kampagnenbanner' },
  icon: 'megaphone',
  offers: [
    {
      label: { en: 'Banner', de: 'Banner' },
      icon: 'megaphone',
      isForBanners: false,
      make: () => ({ type: 'marketing', id: newId(), blockStyle: { marginTop: 16 } }),
    },
  ],
  placeholder: ({ id, blockStyle }, { banner }) => ({
    type: 'stack',
    ...(id && { id }),
    blockStyle: {
      ...blockStyle,
      backgroundColor: '#f2f4f7',
      paddingTop: 16,
      paddingRight: 24,
      paddingBottom: 16,
      paddingLeft: 24,
    },
    children: [quietLine(banner)],
  }),
}
