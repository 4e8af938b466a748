// What an image block has beside its size: its picture, its description, the part that is shown, and its outline.
import type { Crop, PictureBox } from '@signoff/render'
import type { Asset, PictureRequest } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { AltFields } from '#records/assets/picker/alt-fields.tsx'
import { idOf } from '#records/content/block.ts'
import { Button } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { Switch } from '#ui/form/choice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Select } from '#ui/form/select.tsx'
import { useInspector } from '../inputs/inspector-data.ts'
import { useEditor } from '../kit/editor-context.ts'
import { type Properties, setProperties } from '../model/operations.ts'
import type { ImageBlock } from '../model/pictures.ts'

const CropPicture = onDemand(() => import('./crop-picture.tsx'))

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

// Where a picture comes from: the library, the photo of the person, or an address.

type SourceKind = 'sourceAsset' | 'sourceField' | 'sourceUrl'

const kindOf = ({ assetUuid, smartFieldUuid }: ImageBlock): SourceKind => {
  if (assetUuid !== undefined) return 'sourceAsset'
  return smartFieldUuid === undefined ? 'sourceUrl' : 'sourceField'
}

const noSource = { assetUuid: undefined, smartFieldUuid: undefined, src: undefined }

function PictureSource({ block }: { readonly block: ImageBlock }) {
  const t = useTranslations('editor.inspector')
  const { store } = useEditor()
  const { fields, onPicture } = useInspector()
  const [kind, setKind] = useState<SourceKind>(kindOf(block))
  const [url, setUrl] = useState(block.src ?? '')
  useEffect(() => setKind(kindOf(block)), [block])
  const id = idOf(block)
  const pictures = fields.filter(field => field.kind === 'image')
  const choose = (next: SourceKind) => {
    setKind(next)
    const [field] = pictures
    if (next === 'sourceField' && field)
      store.change(root => setProperties(root, id, { ...noSource, smartFieldUuid: field.id }))
    if (next === 'sourceAsset') onPicture({ blockId: id })
  }
  return (
    <div className="grid gap-2">
      <Select
        label={t('source')}
        isLabelHidden
        value={kind}
        onChange={choose}
        options={(['sourceAsset', 'sourceField', 'sourceUrl'] as const).map(each => ({
          id: each,
          label: t(each),
        }))}
      />
      {kind === 'sourceAsset' && (
        <Button icon="image" onPress={() => onPicture({ blockId: id })}>
          {t('choosePicture')}
        </Button>
      )}
      {kind === 'sourceField' && pictures.length > 1 && (
        <Select
          label={t('field')}
          value={block.smartFieldUuid ?? null}
          onChange={field =>
            store.change(root => setProperties(root, id, { ...noSource, smartFieldUuid: field }))
          }
          options={pictures.map(field => ({ id: field.id, label: field.label }))}
        />
      )}
      {kind === 'sourceUrl' && (
        <TextField
          label={t('sourceUrl')}
          isLabelHidden
          placeholder="https://"
          value={url}
          maxLength={2_048}
          onChange={typed => {
            setUrl(typed)
            // The service fetches no crop or outline of files from other servers.
            store.change(
              root => setProperties(root, id, { ...noSource, src: typed, halo: undefined, crop: undefined }),
              { mergeKey: `src ${id}` },
            )
          }}
        />
      )}
    </div>
  )
}

// The white outline of a logo, shown on a light and on a dark mail: only a picture tells whether it is needed.

interface HaloFieldProps {
  readonly block: ImageBlock
  readonly asset: Asset
  readonly onChange: (halo: true | undefined) => void
}

const papers = { light: '#ffffff', dark: '#1b1b1b' } as const
const previewWidth = 112

function boxFor({ crop, shape = 'square', halo }: ImageBlock, asset: Asset): PictureBox {
  const aspect =
    shape === 'circle' ? 1 : (asset.width * (crop?.width ?? 1)) / (asset.height * (crop?.height ?? 1))
  const width = Math.max(1, Math.round(Math.min(previewWidth, 72 * aspect)))
  return {
    width,
    height: Math.max(1, Math.round(width / aspect)),
    shape,
    ...(halo && { halo }),
    ...(crop && { crop }),
  }
}

function HaloField({ block, asset, onChange }: HaloFieldProps) {
  const t = useTranslations('editor')
  const box = boxFor(block, asset)
  const { data } = useQuery({
    queryKey: ['pictures', asset.id, box],
    queryFn: () =>
      api.content.pictures({
        email_id: null,
        pictures: [{ kind: 'asset', asset_id: asset.id, box } as PictureRequest],
      }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  const picture = data?.[0]
  return (
    <div className="grid gap-2">
      <div className="grid grid-cols-2 gap-2">
        {(['light', 'dark'] as const).map(paper => (
          <figure key={paper} className="min-w-0">
            <div
              className="grid h-20 place-items-center overflow-hidden rounded-lg border border-line p-1"
              style={{ background: papers[paper] }}
            >
              {picture && (
                <img src={picture.url} width={box.width} height={box.height} alt="" className="max-w-full" />
              )}
            </div>
            <figcaption className="mt-1 text-xs text-muted">{t(`papers.${paper}`)}</figcaption>
          </figure>
        ))}
      </div>
      {/* Photos have no transparent part that an outline could follow. */}
      {asset.content_type !== 'image/jpeg' && (
        <Switch
          label={t('properties.halo')}
          hint={t('pictures.haloHint')}
          isSelected={block.halo === true}
          onChange={isSelected => onChange(isSelected ? true : undefined)}
        />
      )}
    </div>
  )
}
