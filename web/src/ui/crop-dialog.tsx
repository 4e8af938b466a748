import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import { CropArea, type CropBox, type CropView, cropBoxOf, wholeView } from './crop-area.tsx'
import { CropZoom } from './crop-zoom.tsx'
import { Actions, Dialog } from './dialog.tsx'
import { useLoadedPicture } from './loaded-picture.ts'
import { Notice, Skeleton } from './page.tsx'

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
          look="primary"
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
