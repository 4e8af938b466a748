// Makes blocks of the palette in the brand of the workspace, and puts them at a place.
import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import { useMe } from '#api/session.tsx'
import { type AnyBlock, idOf } from '#records/content/block.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import { useRefusalText } from '../actions/use-refusal-text.ts'
import { useAnnounce } from '../announcements.tsx'
import { useEditor } from '../editor-context.ts'
import { useInspector } from '../inspector/inspector-data.ts'
import { type NewBlockName, newBlock } from '../model/new-blocks.ts'
import { type Place, placeFor } from '../model/place.ts'
import { insertNewBlocks } from '../model/spaces.ts'

export interface NewBlocks {
  readonly make: (name: NewBlockName) => AnyBlock | null
  /** Without a place: beside the selected block. A picture is chosen first. `fieldId`: what a new field shows. */
  readonly add: (name: NewBlockName, place?: Place, fieldId?: string) => void
}

export function useNewBlocks(): NewBlocks {
  const t = useTranslations('editor.palette')
  const { store } = useEditor()
  const { brand, fields, onPicture } = useInspector()
  const company = useMe().workspace.name
  const announce = useAnnounce()
  const refusalText = useRefusalText(store.kind)
  const make = useCallback(
    (name: NewBlockName, fieldId?: string) =>
      newBlock(name, {
        brand,
        fields,
        words: { text: t('newText'), button: t('newButton') },
        company,
        fieldId,
        tree: store.getState().tree,
      }),
    [brand, company, fields, store, t],
  )
  const add = (name: NewBlockName, place?: Place, fieldId?: string) => {
    const block = make(name, fieldId)
    if (!block)
      return name === 'image'
        ? onPicture(place ? { spot: { place } } : {})
        : toastError(t(name === 'logo' ? 'noLogo' : 'noField'))
    const { tree, selection } = store.getState()
    const spot = place ?? placeFor(tree, selection.at(-1), [block], store.kind)
    if (!spot) return
    const problems = store.change(root => insertNewBlocks(root, spot, [block]), { select: [idOf(block)] })
    if (problems.length > 0) return toastError(refusalText(problems, t('refused')))
    announce(t('added', { name: t(name) }))
    // The next keys are the words of the text.
    if (name === 'text') store.edit(idOf(block))
  }
  return { make, add }
}
