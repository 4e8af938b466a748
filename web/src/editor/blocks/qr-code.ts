import { contrastBounds, mailPapers } from '@signoff/render'
import { newId } from '#records/content/ids.ts'
import { type BlockDescriptor, type BlockOf, spaceAbove } from './descriptor.ts'
import { placeholderAsset } from './placeholder.ts'

const standardSize = 96

export const qrCode: BlockDescriptor<BlockOf<'qrCode'>> = {
  label: { en: 'QR code', de: 'QR-Code' },
  icon: 'qr-code',
  offers: [
    {
      label: { en: 'QR code', de: 'QR-Code' },
      icon: 'qr-code',
      // It leads to the contact card of the person.
      isForBanners: false,
      make: () => ({ type: 'qrCode', id: newId(), content: 'vcard', size: standardSize, ...spaceAbove }),
    },
  ],
  placeholder: ({ id, blockStyle, size = standardSize }) => ({
    type: 'image',
    ...(id && { id }),
    ...(blockStyle && { blockStyle }),
    ...{ width: size, height: size, alt: '' },
    assetUuid: placeholderAsset,
  }),
  standards: () => ({ size: standardSize }),
  corner: { name: 'size', least: 32 },
  contrast: {
    color: () => [{ place: 'background', other: mailPapers.light, minimum: contrastBounds.text }],
  },
}
