// ProseMirror and what edits texts with it: 60 kB that are loaded right after the canvas is painted.
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { toastError } from '#ui/feedback/toast.tsx'
import { useEditor, useEditorValue } from '../kit/editor-context.ts'

type TextParts = typeof import('./text-parts.tsx')

export const loadText = (): Promise<TextParts> => import('./text-parts.tsx')

let loaded: TextParts | undefined

/** Undefined until the code is there. A text that a person wants to edit before that waits for it. */
export function useTextParts(canLoad: boolean): TextParts | undefined {
  const t = useTranslations('editor.textTools')
  const { store } = useEditor()
  const isWanted = useEditorValue(state => state.editingId !== undefined)
  const [parts, setParts] = useState(loaded)
  useEffect(() => {
    if (parts || !(canLoad || isWanted)) return
    loadText().then(
      module => {
        loaded = module
        setParts(module)
      },
      () => {
        if (!isWanted) return
        store.edit(undefined)
        toastError(t('notLoaded'))
      },
    )
  }, [parts, canLoad, isWanted, store])
  return parts
}
