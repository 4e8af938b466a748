// Makes blocks of the palette in the brand of the workspace, and puts them at a place.
import { useCallback } from 'react'
import { useTranslations } from 'use-intl'
import { useMe } from '#api/session.ts'
import { type AnyBlock, idOf } from '#records/content/block.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import { useLabel } from '../blocks/block-names.ts'
import type { NewBlock } from '../blocks/descriptor.ts'
import { useInspector } from '../inputs/inspector-data.ts'
import { useAnnounce } from '../kit/announcements.tsx'
import { useEditor } from '../kit/editor-context.ts'
import { insertNewBlocks, type Position, positionFor } from '../model/position.ts'
import { useRefusalText } from './action-messages.ts'

export interface NewBlocks {
  readonly make: (offer: NewBlock) => AnyBlock | null
  /** Without a place: beside the selected block. A picture is chosen first. `fieldId`: what a new field shows. */
  readonly add: (offer: NewBlock, position?: Position, fieldId?: string) => void
}

export function useNewBlocks(): NewBlocks {
  const t = useTranslations('editor.palette')
  const labelOf = useLabel()
  const { store } = useEditor()
  const { brand, fields, onPicture } = useInspector()
  const company = useMe().workspace.name
  const announce = useAnnounce()
  const refusalText = useRefusalText(store.kind)
  const make = useCallback(
    (offer: NewBlock, fieldId?: string) =>
      offer.make({
        brand,
        fields,
        messages: { text: t('newText'), button: t('newButton') },
        company,
        fieldId,
        tree: store.getState().tree,
      }),
    [brand, company, fields, store, t],
  )
  const add = (offer: NewBlock, position?: Position, fieldId?: string) => {
    const block = make(offer, fieldId)
    if (!block)
      return offer.asks === 'picture'
        ? onPicture(position ? { spot: { position } } : {})
        : toastError(t(offer.lack ?? 'noField'))
    const { tree, selection } = store.getState()
    const spot = position ?? positionFor(tree, selection.at(-1), [block], store.kind)
    if (!spot) return
    const problems = store.change(root => insertNewBlocks(root, spot, [block]), { select: [idOf(block)] })
    if (problems.length > 0) return toastError(refusalText(problems, t('refused')))
    announce(t('added', { name: labelOf(offer.label) }))
    if (offer.isTyped) store.edit(idOf(block))
  }
  return { make, add }
}
