import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../base/button.tsx'
import { Notice, Skeleton } from '../layout/page.tsx'
import { Actions, Dialog } from '../overlay/dialog.tsx'
import { CropArea, type CropBox, type CropView, cropBoxOf, wholeView } from './crop-area.tsx'
import { CropZoom } from './crop-zoom.tsx'

interface LoadedPicture {
  readonly src: string
  readonly pixels: { readonly width: number; readonly height: number }
}

/** The picture with its size; null when the browser cannot show it. */
function useLoadedPicture(picture: Blob | string | null): LoadedPicture | null | undefined {
  const [loaded, setLoaded] = useState<LoadedPicture | null>()
  useEffect(() => {
    setLoaded(undefined)
    if (picture === null) return
    const src = typeof picture === 'string' ? picture : URL.createObjectURL(picture)
    const image = new Image()
    image.onload = () =>
      // A drawing (SVG) without a size of its own is taken as a square.
      setLoaded({ src, pixels: { width: image.naturalWidth || 1, height: image.naturalHeight || 1 } })
    image.onerror = () => setLoaded(null)
    image.src = src
    return () => {
      image.onload = null
      image.onerror = null
      if (typeof picture !== 'string') URL.revokeObjectURL(src)
    }
  }, [picture])
  return loaded
}

interface CropDialogProps {
  /** A chosen file, or the address of a picture. Null: the dialog is closed. */
  readonly picture: Blob | string | null
  readonly onClose: () => void
  /** The part in parts of the picture, from 0 to 1: `crop` of `TeammateImage`. */
  readonly onDone: (crop: CropBox) => void
  readonly isPending?: boolean
  readonly isRound?: boolean
  readonly error?: string | undefined
}

/** Lets a person choose the square of a picture that is shown. */
export function CropDialog(props: CropDialogProps) {
  const { picture, onClose, onDone, isPending = false, isRound = true, error } = props
  const t = useTranslations('shell.crop')
  const shell = useTranslations('shell')
  const loaded = useLoadedPicture(picture)
  const [view, setView] = useState<CropView>(wholeView)
  useEffect(() => {
    if (picture !== null) setView(wholeView)
  }, [picture])
  return (
    <Dialog title={t('title')} isOpen={picture !== null} onClose={onClose} size="small" isModalOnly>
      {loaded === undefined && <Skeleton lines={6} />}
      {loaded === null && <Notice kind="bad">{t('unreadable')}</Notice>}
      {loaded && (
        <div className="grid gap-4">
          <CropArea {...loaded} label={t('area')} view={view} onChange={setView} isRound={isRound} />
          <CropZoom view={view} onChange={setView} pixels={loaded.pixels} />
        </div>
      )}
      {error !== undefined && (
        <div role="alert" className="mt-4">
          <Notice kind="bad">{error}</Notice>
        </div>
      )}
      <Actions>
        <Button onPress={onClose}>{shell('cancel')}</Button>
        <Button
          variant="primary"
          isDisabled={!loaded}
          isPending={isPending}
          onPress={() => loaded && onDone(cropBoxOf(view, loaded.pixels))}
        >
          {t('use')}
        </Button>
      </Actions>
    </Dialog>
  )
}
