// The one dialog in which the dashboard chooses a picture: of the library, from the computer, or from an address.
import type { Asset } from '@signoff/sdk'
import { useEffect, useRef, useState } from 'react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.ts'
import { Button } from '#ui/base/button.tsx'
import { ProgressBar } from '#ui/feedback/progress-bar.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { imageTypes } from '#ui/picture/image-types.ts'
import type { ImageRole } from '../roles.ts'
import { type PictureOrigin, useUploadProblem } from '../upload-picture.ts'
import { DescribePicture } from './describe-picture.tsx'
import { PictureLibrary } from './picture-library.tsx'
import { usePictureUpload } from './use-picture-upload.ts'

interface PictureSourcesProps {
  readonly isPending: boolean
  readonly onOrigin: (origin: PictureOrigin) => void
}

function usePastedFile(onFile: (file: File) => void): void {
  const take = useRef(onFile)
  take.current = onFile
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'))
      if (!file) return
      event.preventDefault()
      take.current(file)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}

/** A new picture: a file that is chosen, dropped or pasted, or a public address. */
function PictureSources({ isPending, onOrigin }: PictureSourcesProps) {
  const t = useTranslations('assets.picker')
  const [isAddressShown, setAddressShown] = useState(false)
  usePastedFile(onOrigin)
  return (
    <DropZone
      aria-label={t('drop')}
      onDrop={async ({ items }) => {
        const item = items.find(each => each.kind === 'file')
        if (item?.kind === 'file') onOrigin(await item.getFile())
      }}
      className="grid gap-3 rounded-xl border border-dashed border-edge/60 p-4 data-drop-target:border-accent data-drop-target:bg-accent-soft"
    >
      <div className="flex flex-wrap items-center gap-2">
        <FileTrigger acceptedFileTypes={imageTypes} onSelect={files => files?.[0] && onOrigin(files[0])}>
          <Button icon="upload" isPending={isPending}>
            {t('upload')}
          </Button>
        </FileTrigger>
        <Button
          variant="quiet"
          icon="link"
          aria-expanded={isAddressShown}
          onPress={() => setAddressShown(!isAddressShown)}
        >
          {t('fromAddress')}
        </Button>
        <p className="text-[0.8125rem] text-muted">{t('dropHint')}</p>
      </div>
      {isAddressShown && <AddressForm onAddress={address => onOrigin({ address })} isPending={isPending} />}
    </DropZone>
  )
}

interface AddressFormProps {
  readonly isPending: boolean
  readonly onAddress: (address: string) => void
}

function AddressForm({ onAddress, isPending }: AddressFormProps) {
  const t = useTranslations('assets.picker')
  const [address, setAddress] = useState('')
  const send = () => {
    const text = address.trim()
    if (text !== '') onAddress(/^[a-z]+:/i.test(text) ? text : `https://${text}`)
  }
  return (
    <div className="flex flex-wrap items-start gap-2">
      <TextField
        label={t('address')}
        isLabelHidden
        autoFocus
        placeholder="https://"
        inputMode="url"
        maxLength={2_048}
        hint={t('addressHint')}
        value={address}
        onChange={setAddress}
        onKeyDown={event => event.key === 'Enter' && send()}
        className="min-w-48 flex-1"
      />
      <Button isDisabled={address.trim() === ''} isPending={isPending} onPress={send}>
        {t('fetch')}
      </Button>
    </div>
  )
}

interface PictureDialogProps {
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
      <Dialog title={t('describe')} onClose={cancel}>
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
    <Dialog title={title ?? t('title')} onClose={cancel} size="large">
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
