import { useId } from 'react'
import { useTranslations } from 'use-intl'
import { type CropView, maxCropZoom, settledView } from './crop-area.tsx'

interface CropZoomProps {
  readonly view: CropView
  readonly onChange: (change: (view: CropView) => CropView) => void
  readonly pixels: { readonly width: number; readonly height: number }
  readonly aspect?: number
}

/** The slider below a `CropArea`. */
export function CropZoom({ view, onChange, pixels, aspect = 1 }: CropZoomProps) {
  const t = useTranslations('shell.crop')
  const id = useId()
  return (
    <div className="mx-auto grid w-full max-w-80 gap-1">
      <label htmlFor={id} className="text-[0.8125rem] font-medium">
        {t('zoom')}
      </label>
      <input
        id={id}
        type="range"
        min={1}
        max={maxCropZoom}
        step={0.01}
        value={view.zoom}
        onChange={event => {
          const zoom = Number(event.currentTarget.value)
          onChange(now => settledView({ ...now, zoom }, pixels, aspect))
        }}
        className="h-6 w-full accent-accent"
      />
      <p className="text-[0.8125rem] text-muted">{t('hint')}</p>
    </div>
  )
}
