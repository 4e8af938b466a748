// A search over the blocks that can be put at a place.
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useEditor } from '../editor-context.ts'
import { insertableBlocks } from '../model/insertable.ts'
import type { NewBlockName } from '../model/new-blocks.ts'
import type { Place } from '../model/place.ts'
import { blockOf } from '../model/tree.ts'
import { newBlockIcons } from '../palette/new-block-icons.ts'
import type { Rectangle } from '../text/floating.ts'
import { SearchMenu } from './search-menu.tsx'

interface InsertMenuProps {
  readonly place: Place
  readonly at: Rectangle
  readonly onChoose: (name: NewBlockName) => void
  readonly onClose: () => void
}

export default function InsertMenu({ place, ...menu }: InsertMenuProps) {
  const t = useTranslations('editor.insert')
  const palette = useTranslations('editor.palette')
  const { store } = useEditor()
  const entries = useMemo(() => {
    const parent = blockOf(store.getState().tree, place.parentId)?.type ?? 'stack'
    return insertableBlocks(parent, store.kind).map(name => ({
      id: name,
      label: palette(name),
      icon: newBlockIcons[name],
    }))
  }, [store, place, palette])
  const texts = { title: t('title'), search: t('search'), nothing: t('nothing') }
  return <SearchMenu {...menu} entries={entries} texts={texts} />
}
