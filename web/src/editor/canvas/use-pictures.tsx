// Pictures that come into the editor: the dialog that takes and describes them, and the clipboard.
import type { Asset } from '@signoff/sdk'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.ts'
import { areaPart } from '#records/area-part.tsx'
import { toastError } from '#ui/feedback/toast.tsx'
import { useAnnounce } from '../kit/announcements.tsx'
import { useEditor } from '../kit/editor-context.ts'
import { isTyping } from '../kit/focus.ts'
import { isDialogOpen, type PictureTarget, pictureIn, placePicture } from '../model/pictures.ts'
import { blockOf } from '../model/tree.ts'

const PictureDialog = areaPart(['assets'], async () => ({
  default: (await import('#records/assets/picker/picture-dialog.tsx')).PictureDialog,
}))

export interface Pictures {
  readonly open: (target: PictureTarget) => void
  readonly dialog: ReactNode
}

export function usePictures(): Pictures {
  const t = useTranslations('editor.pictures')
  const { store } = useEditor()
  const announce = useAnnounce()
  const can = useCan()
  const mayUpload = can('assets:write')
  const [target, setTarget] = useState<PictureTarget>()
  const open = useCallback(
    (newTarget: PictureTarget) => {
      if (newTarget.file && !mayUpload) toastError(t('noRight'))
      else setTarget(newTarget)
    },
    [mayUpload, t],
  )
  usePastedPicture(open)
  const block = target?.blockId === undefined ? undefined : blockOf(store.getState().tree, target.blockId)
  const image = block?.type === 'image' ? block : undefined
  const put = (asset: Asset, alt: string | undefined) => {
    setTarget(undefined)
    if (!target || !placePicture(store, target, asset, alt)) return toastError(t('refused'))
    announce(image ? t('replaced') : t('added'))
  }
  const dialog = target && (
    <PictureDialog
      key={target.file?.name}
      file={target.file}
      action={image ? t('replace') : t('add')}
      describes={{ alt: image?.alt, hasLink: image?.href !== undefined }}
      onChoose={put}
      onClose={() => setTarget(undefined)}
    />
  )
  return { open, dialog }
}

/** Words that were copied with a picture, such as from Word, are not a picture. */
function usePastedPicture(open: Pictures['open']): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const { clipboardData: data } = event
      if (event.defaultPrevented || !data || isTyping(event.target) || isDialogOpen()) return
      const file = pictureIn(data.files)
      if (!file || data.getData('text/plain') !== '') return
      event.preventDefault()
      open({ file })
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [open])
}
