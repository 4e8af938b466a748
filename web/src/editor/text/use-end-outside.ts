import { useEffect } from 'react'
import type { EditorStore } from '../model/store.ts'

/** For parts of the page that belong to the text: a press on them does not end the editing. */
export const keepsTextOpen = { 'data-keeps-text': '' } as const

/** A press elsewhere on the page ends the editing. Dialogs and lists that float above the page belong to their opener. */
export function useEndOutside(store: EditorStore): void {
  useEffect(() => {
    const press = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || !target.closest('#root')) return
      if (!target.closest('[data-keeps-text], .signoff-text-editing')) store.edit(undefined)
    }
    document.addEventListener('pointerdown', press)
    return () => document.removeEventListener('pointerdown', press)
  }, [store])
}
