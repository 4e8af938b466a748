// What an image block has beside its size: its picture, its description, the part that is shown, and its outline.
import type { Crop } from '@signoff/render'
import type { Asset } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { AltFields } from '#records/assets/picker/alt-fields.tsx'
import { idOf } from '#records/content/block.ts'
import { Button } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { useEditor } from '../editor-context.ts'
import { type Properties, setProperties } from '../model/operations.ts'
import type { ImageBlock } from '../pictures/place-picture.ts'
import { HaloField } from './halo-field.tsx'
import { PictureSource } from './picture-source.tsx'

const CropPicture = onDemand(() => import('../pictures/crop-picture.tsx'))

export default function PictureSettings({ block }: { readonly block: ImageBlock }) {
  const { store } = useEditor()
  const id = idOf(block)
  const { assetUuid, smartFieldUuid } = block
  const { data: asset } = useQuery({
    queryKey: ['assets', assetUuid?.toLowerCase()],
    queryFn: async () => await api.assets.get(assetUuid ?? ''),
    enabled: assetUuid !== undefined,
    staleTime: 60_000,
  })
  const set = (properties: Properties, key: string) =>
    store.change(root => setProperties(root, id, properties), { mergeKey: `${key} ${id}` })
  return (
    <div className="grid gap-4">
      <PictureSource block={block} />
      {asset && (
        <CropField block={block} asset={asset} onChange={crop => set(cropped(block, crop), 'crop')} />
      )}
      {asset && <HaloField block={block} asset={asset} onChange={halo => set({ halo }, 'halo')} />}
      <AltField block={block} isPerson={smartFieldUuid !== undefined} onChange={alt => set({ alt }, 'alt')} />
    </div>
  )
}

/** A height of its own would squeeze the part: it follows from the proportions. */
const cropped = ({ shape }: ImageBlock, crop: Crop | undefined): Properties => ({
  crop,
  ...(shape !== 'circle' && { height: undefined }),
})

interface CropFieldProps {
  readonly block: ImageBlock
  readonly asset: Asset
  readonly onChange: (crop: Crop | undefined) => void
}

function CropField({ block, asset, onChange }: CropFieldProps) {
  const t = useTranslations('editor.crop')
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="grid gap-2">
      <Button icon="crop" onPress={() => setOpen(true)}>
        {block.crop ? t('change') : t('open')}
      </Button>
      {isOpen && (
        <CropPicture
          asset={asset}
          crop={block.crop}
          isCircle={block.shape === 'circle'}
          onDone={crop => {
            setOpen(false)
            onChange(crop)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

interface AltFieldProps {
  readonly block: ImageBlock
  /** The name of the person stands beside the photo as a rule. */
  readonly isPerson: boolean
  readonly onChange: (alt: string | undefined) => void
}

function AltField({ block: { alt, href }, isPerson, onChange }: AltFieldProps) {
  const t = useTranslations('editor.pictures')
  const isMissing = alt === undefined || (href !== undefined && alt.trim() === '')
  return (
    <div className="grid gap-2">
      <AltFields value={alt} onChange={onChange} hasLink={href !== undefined} />
      {isMissing && (
        <p className="flex gap-1.5 text-[0.8125rem] text-warn">
          <Icon name="info" size={15} className="mt-0.5" />
          {t(isPerson ? 'altMissingPerson' : 'altMissing')}
        </p>
      )}
    </div>
  )
}
