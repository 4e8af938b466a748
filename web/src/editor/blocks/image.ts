import { newId } from '#records/content/ids.ts'
import { type BlockDescriptor, type BlockOf, spaceAbove } from './descriptor.ts'
import { placeholderAsset } from './placeholder.ts'

export const image: BlockDescriptor<BlockOf<'image'>> = {
  label: { en: 'Image', de: 'Bild' },
  icon: 'image',
  offers: [
    {
      label: { en: 'Photo', de: 'Foto' },
      icon: 'circle-user',
      lack: 'noField',
      make({ fields }) {
        const field =
          fields.find(({ key }) => key === 'profile_picture') ?? fields.find(({ kind }) => kind === 'image')
        if (!field) return null
        const size = { width: 80, height: 80, shape: 'circle', alt: '' } as const
        return { type: 'image', id: newId(), smartFieldUuid: field.id, ...size, ...spaceAbove }
      },
    },
    {
      label: { en: 'Logo', de: 'Logo' },
      icon: 'building-2',
      lack: 'noLogo',
      make({ brand, company = '' }) {
        const assetUuid = brand?.logo_asset_id
        if (!assetUuid) return null
        return { type: 'image', id: newId(), assetUuid, width: 120, alt: company, ...spaceAbove }
      },
    },
    { label: { en: 'Image', de: 'Bild' }, icon: 'image-plus', asks: 'picture', make: () => null },
  ],
  nameOf: ({ alt, smartFieldUuid }, { fieldLabel }) => alt?.trim() || (fieldLabel(smartFieldUuid) ?? ''),
  placeholder({ src: _, smartFieldUuid: __, crop: ___, halo: ____, href: _____, ...block }) {
    return { ...block, assetUuid: placeholderAsset }
  },
  section: 'picture',
  hides: (_, property) => property === 'alt' || property === 'halo',
  corner: { name: 'width', least: 8 },
}
