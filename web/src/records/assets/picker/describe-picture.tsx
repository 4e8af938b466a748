// The second step: the chosen picture, its upload, and its description.
import type { Asset } from '@signoff/sdk'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { Form } from '#ui/form/form.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { Actions } from '#ui/overlay/dialog.tsx'
import { useUploadProblem } from '../upload-picture.ts'
import { AltFields } from './alt-fields.tsx'
import { altFromName } from './alt-from-name.ts'
import type { PictureUpload } from './use-picture-upload.ts'

interface DescribePictureProps {
  /** From the library, or what is uploaded. */
  readonly picture: Asset | PictureUpload
  /** The alternative text of the picture that is replaced. */
  readonly alt: string | undefined
  readonly hasLink: boolean
  readonly action: string
  readonly onBack: () => void
  readonly onRetry: () => void
  readonly onDone: (asset: Asset, alt: string | undefined) => void
}

const isUpload = (picture: Asset | PictureUpload): picture is PictureUpload => 'origin' in picture

const nameOf = (picture: Asset | PictureUpload): string => {
  if (!isUpload(picture)) return picture.name
  const { origin } = picture
  return origin instanceof File ? origin.name : (origin.address.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '')
}

/** The file of the person is shown while it is sent. */
function usePreview(picture: Asset | PictureUpload): string | undefined {
  const file = isUpload(picture) && picture.origin instanceof File ? picture.origin : undefined
  const [local, setLocal] = useState<string>()
  useEffect(() => {
    if (!file) return
    const address = URL.createObjectURL(file)
    setLocal(address)
    return () => URL.revokeObjectURL(address)
  }, [file])
  const asset = isUpload(picture) ? picture.asset : picture
  return asset?.url ?? local
}

export function DescribePicture(props: DescribePictureProps) {
  const { picture, hasLink, action, onBack, onRetry, onDone } = props
  const t = useTranslations('assets.picker')
  const problemOf = useUploadProblem()
  const preview = usePreview(picture)
  const [alt, setAlt] = useState(props.alt || altFromName(nameOf(picture)) || undefined)
  /** The person was faster than the upload. */
  const [isAsked, setAsked] = useState(false)
  const asset = isUpload(picture) ? picture.asset : picture
  const error = isUpload(picture) ? picture.error : undefined
  useEffect(() => {
    if (isAsked && asset) onDone(asset, alt)
  }, [isAsked, asset])
  return (
    <Form onSubmit={async () => setAsked(true)}>
      {() => (
        <>
          <div className="grid gap-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
            <div className="grid content-start gap-2">
              <div className="checkered grid h-44 place-items-center overflow-hidden rounded-xl border border-line p-3">
                {preview && error === undefined && (
                  <img src={preview} alt="" className="max-h-38 max-w-full object-contain" />
                )}
              </div>
              <p className="truncate text-xs text-muted">{nameOf(picture)}</p>
              {isUpload(picture) && !asset && error === undefined && (
                <ProgressBar label={t('uploading')} value={Math.round(picture.part * 100)} max={100} />
              )}
            </div>
            <AltFields value={alt} onChange={setAlt} hasLink={hasLink} autoFocus />
          </div>
          {error !== undefined && (
            <div role="alert" className="mt-4">
              <Notice kind="bad">{problemOf(error)}</Notice>
            </div>
          )}
          <Actions>
            <Button variant="quiet" onPress={onBack}>
              {t('another')}
            </Button>
            {error === undefined ? (
              <Button type="submit" variant="primary" isPending={isAsked && !asset}>
                {action}
              </Button>
            ) : (
              <Button variant="primary" onPress={onRetry}>
                {t('retry')}
              </Button>
            )}
          </Actions>
        </>
      )}
    </Form>
  )
}
