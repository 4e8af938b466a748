// Blocks to add: a click puts one after the selected block, dragging puts it anywhere on the canvas or in the outline.
import { memo } from 'react'
import { useTranslations } from 'use-intl'
import { useEditor } from '../editor-context.ts'
import { EditorIcon } from '../editor-icon.tsx'
import { offeredBlocks } from '../model/new-blocks.ts'
import { newBlockIcons } from './new-block-icons.ts'
import { useNewBlocks } from './use-new-blocks.ts'

export const Palette = memo(function Palette() {
  const t = useTranslations('editor.palette')
  const { store, drag } = useEditor()
  const { make, add } = useNewBlocks()
  return (
    <ul aria-label={t('label')} className="grid grid-cols-2 gap-1.5 max-md:grid-cols-3">
      {offeredBlocks(store.kind).map(name => (
        <li key={name} className="contents">
          <button
            type="button"
            onClick={() => add(name)}
            onPointerDown={event =>
              drag.watch(event.nativeEvent, {
                start() {
                  const block = make(name)
                  return block ? { dragged: { blocks: [block], movedIds: [] }, label: t(name) } : undefined
                },
              })
            }
            className="touch-hold flex min-h-9 items-center gap-2 rounded-lg border border-line bg-card px-2.5 text-start text-[0.8125rem] hover:border-edge focus-visible:outline-2 focus-visible:outline-accent"
          >
            <EditorIcon name={newBlockIcons[name]} size={15} className="text-muted" />
            <span className="min-w-0 truncate">{t(name)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
})
