// Says what came of copying or pasting, by keys or by a menu.
import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import { toast } from '../../../ui/toast.tsx'
import { useAnnounce } from '../announcements.tsx'
import { useKeyNames } from '../keys/key-names.ts'
import type { ClipboardResult } from '../page/use-clipboard.ts'

export function useClipboardText(): (result: ClipboardResult) => void {
  const t = useTranslations('editor.actions')
  const palette = useTranslations('editor.palette')
  const announce = useAnnounce()
  const keyNames = useKeyNames()
  return useCallback(
    result => {
      switch (result) {
        case 'refused':
          return toast(palette('refused'))
        case 'nothing':
          return toast(t('nothingToPaste'))
        case 'unreadable':
          return toast(t('unreadable', { keys: keyNames('Mod+V').join(' ') }))
        default:
          return announce(t(`done.${result}`))
      }
    },
    [t, palette, announce, keyNames],
  )
}
