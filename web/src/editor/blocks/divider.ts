import { newId } from '#records/content/ids.ts'
import type { BlockDescriptor, BlockOf } from './descriptor.ts'

export const divider: BlockDescriptor<BlockOf<'divider'>> = {
  label: { en: 'Divider', de: 'Trennlinie' },
  icon: 'minus',
  offers: [
    {
      label: { en: 'Divider', de: 'Trennlinie' },
      icon: 'minus',
      make: () => ({ type: 'divider', id: newId(), color: '#d0d5dd', thickness: 1 }),
    },
  ],
  standards: () => ({ thickness: 1 }),
}
