// The one dialog in which the dashboard chooses a picture: of the library, from the computer, or from an address.
import type { Asset } from '@signoff/sdk'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.tsx'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import type { ImageRole } from '../roles.ts'
import { useUploadProblem } from '../upload-picture.ts'
import { DescribePicture } from './describe-picture.tsx'
import { PictureLibrary } from './picture-library.tsx'
import { PictureSources } from './picture-sources.tsx'
import { usePictureUpload } from './use-picture-upload.ts'

export interface PictureDialogProps {
  readonly title?: string | undefined
  /** The verb of the last button. */
  readonly action?: string | undefined
  /** Dropped or pasted before the dialog: it is uploaded at once. */
  readonly file?: File | undefined
  /** The kind that new pictures get. */
  readonly role?: ImageRole | undefined
  /** Asks for a description as a second step. */
  readonly describes?: { readonly alt: string | undefined; readonly hasLink: boolean } | undefined
  readonly onChoose: (asset: Asset, alt: string | undefined) => void
  readonly onClose: () => void
}

export function PictureDialog(props: PictureDialogProps) {
  const { title, action, file, role, describes, onChoose, onClose } = props
  const t = useTranslations('assets.picker')
  const can = useCan()
  const problemOf = useUploadProblem()
  const [chosen, setChosen] = useState<Asset>()
  const { upload, start, stop, discard } = usePictureUpload(role, asset => {
    if (!describes) onChoose(asset, undefined)
  })
  useEffect(() => {
    if (file) void start(file)
  }, [file])
  const cancel = () => {
    void discard()
    onClose()
  }
  // The picture behind an address is not known until the service has it.
  const picture = chosen ?? (upload?.origin instanceof File ? upload : upload?.asset)
  const isSending = upload !== undefined && upload.error === undefined && !upload.asset
  if (describes && picture)
    return (
      <Dialog title={t('describe')} isOpen onClose={cancel}>
        <DescribePicture
          {...describes}
          picture={picture}
          action={action ?? t('use')}
          onBack={() => {
            setChosen(undefined)
            stop()
          }}
          onRetry={() => upload && void start(upload.origin)}
          onDone={onChoose}
        />
      </Dialog>
    )
  return (
    <Dialog title={title ?? t('title')} isOpen onClose={cancel} size="large">
      <div className="grid gap-4">
        {can('assets:write') && (
          <PictureSources isPending={isSending} onOrigin={origin => void start(origin)} />
        )}
        {isSending && <ProgressBar label={t('uploading')} value={Math.round(upload.part * 100)} max={100} />}
        {upload?.error !== undefined && (
          <div role="alert">
            <Notice kind="bad">{problemOf(upload.error)}</Notice>
          </div>
        )}
        <PictureLibrary onChoose={asset => (describes ? setChosen(asset) : onChoose(asset, undefined))} />
      </div>
    </Dialog>
  )
}
