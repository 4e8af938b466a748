// Chooses the part of an image block's picture that is shown. The picture in the library stays whole: the block keeps the
// part, and every mail gets a file of it.
import type { Crop } from '@signoff/render'
import type { Asset } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { Segments } from '#ui/form/segments.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'
import { CropArea, cropBoxOf, settledView, viewOfBox, wholeView } from '#ui/picture/crop-area.tsx'
import { CropZoom } from '#ui/picture/crop-zoom.tsx'
import { roundedCrop } from '../model/pictures.ts'

interface CropPictureProps {
  readonly asset: Asset
  readonly crop: Crop | undefined
  /** A circle is cut from a square. */
  readonly isCircle: boolean
  /** Undefined: the whole picture. */
  readonly onDone: (crop: Crop | undefined) => void
  readonly onClose: () => void
}

const aspects = { square: 1, fourThree: 4 / 3, wide: 16 / 9, banner: 3, strip: 4 } as const
type AspectName = keyof typeof aspects | 'original' | 'now'

export default function CropPicture({ asset, crop, isCircle, onDone, onClose }: CropPictureProps) {
  const t = useTranslations('editor.crop')
  const shell = useTranslations('shell')
  const messages = useTranslations('shell.crop')
  const pixels = { width: asset.width, height: asset.height }
  const before = crop && viewOfBox(crop, pixels)
  const original = asset.width / asset.height
  const [name, setName] = useState<AspectName>(isCircle ? 'square' : before ? 'now' : 'original')
  const aspectOf = (chosen: AspectName): number => {
    if (chosen === 'original') return original
    return chosen === 'now' ? (before?.aspect ?? original) : aspects[chosen]
  }
  const aspect = aspectOf(name)
  const [view, setView] = useState(before?.view ?? wholeView)
  const names: readonly AspectName[] = [
    'original',
    ...(before ? (['now'] as const) : []),
    ...(Object.keys(aspects) as (keyof typeof aspects)[]),
  ]
  return (
    <Dialog title={messages('title')} onClose={onClose} isModalOnly>
      <div className="grid gap-4">
        {!isCircle && (
          <Segments
            label={t('proportions')}
            options={names.map(id => ({ id, label: t(id) }))}
            value={name}
            onChange={next => {
              setName(next)
              setView(now => settledView(now, pixels, aspectOf(next)))
            }}
          />
        )}
        <CropArea
          src={asset.url}
          pixels={pixels}
          label={messages('area')}
          view={view}
          aspect={aspect}
          onChange={setView}
          isRound={isCircle}
        />
        <CropZoom view={view} onChange={setView} pixels={pixels} aspect={aspect} />
      </div>
      <Actions>
        {crop && (
          <Button variant="quiet" onPress={() => onDone(undefined)} className="me-auto">
            {t('whole')}
          </Button>
        )}
        <Button onPress={onClose}>{shell('cancel')}</Button>
        <Button variant="primary" onPress={() => onDone(roundedCrop(cropBoxOf(view, pixels, aspect)))}>
          {t('use')}
        </Button>
      </Actions>
    </Dialog>
  )
}
