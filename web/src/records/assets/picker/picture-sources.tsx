// A new picture: a file that is chosen, dropped or pasted, or a public address.
import { useEffect, useRef, useState } from 'react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { TextField } from '#ui/form/field.tsx'
import { imageTypes } from '#ui/picture/image-types.ts'
import type { PictureOrigin } from '../upload-picture.ts'

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

export function PictureSources({ isPending, onOrigin }: PictureSourcesProps) {
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
