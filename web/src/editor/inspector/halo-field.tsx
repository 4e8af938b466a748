// The white outline of a logo, shown on a light and on a dark mail: only a picture tells whether it is needed.
import type { PictureBox } from '@signoff/render'
import type { Asset, PictureRequest } from '@signoff/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { Switch } from '#ui/form/choice.tsx'
import type { ImageBlock } from '../pictures/place-picture.ts'

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

export function HaloField({ block, asset, onChange }: HaloFieldProps) {
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
