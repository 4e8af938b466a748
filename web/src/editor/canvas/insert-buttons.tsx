// A `+` between blocks under the pointer, beside the selected block and in empty containers.
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useBlockName } from '../block-names.ts'
import { useDragState, useEditor, useEditorState, useOpenMenu } from '../editor-context.ts'
import { EditorIcon } from '../editor-icon.tsx'
import { blockOf } from '../model/tree.ts'
import { emptySpots, type InsertSpot, type SpotArea, spotKey, spotsBeside } from './insert-spots.ts'
import { placeOf } from './overlay.tsx'

interface InsertButtonsProps {
  readonly area: SpotArea
  readonly hovered: InsertSpot | undefined
}

export function InsertButtons({ area, hovered }: InsertButtonsProps) {
  const t = useTranslations('editor.insert')
  const nameOf = useBlockName()
  const { menus } = useEditor()
  const { tree, selection, editingId } = useEditorState()
  const drag = useDragState()
  const menu = useOpenMenu()
  const [id] = selection
  const spots = useMemo(() => {
    const beside = selection.length === 1 && id !== undefined ? spotsBeside(area, id) : []
    const all = [...emptySpots(area), ...beside, ...(hovered ? [hovered] : [])]
    return [...new Map(all.map(spot => [spotKey(spot), spot])).values()]
  }, [area, hovered, selection, id])
  if (drag || editingId !== undefined) return null
  const block = id === undefined ? undefined : blockOf(tree, id)
  const open = (event: React.MouseEvent, { place }: InsertSpot) =>
    menus.open({ kind: 'insert', place, at: event.currentTarget.getBoundingClientRect() })
  return spots.map(spot => {
    const isOpen =
      menu?.kind === 'insert' &&
      menu.place.parentId === spot.place.parentId &&
      menu.place.index === spot.place.index
    return (
      <div key={spotKey(spot)} className="group/insert contents">
        {spot.line && (
          <div
            aria-hidden="true"
            className="pointer-events-none absolute rounded-full bg-accent/60"
            style={placeOf(spot.line)}
          />
        )}
        <button
          type="button"
          aria-label={t(spot.label, { name: block ? nameOf(block) : '' })}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={event => open(event, spot)}
          className="insert-button absolute z-10 grid size-6 -translate-x-1/2 -translate-y-1/2 place-items-center focus-visible:outline-2 focus-visible:outline-accent"
          style={{ left: spot.x, top: spot.y }}
        >
          <span className="grid size-4 place-items-center rounded-full bg-accent text-on-accent shadow-raised">
            <EditorIcon name="plus" size={12} />
          </span>
        </button>
      </div>
    )
  })
}
