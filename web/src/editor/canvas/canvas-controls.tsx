// Controls above the drawing: `+` for new blocks, and the handles of the selected block.
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { idOf } from '#records/content/block.ts'
import { useBlockName } from '../blocks/block-names.ts'
import { useDragState, useEditor, useEditorState, useOpenMenu } from '../kit/editor-context.ts'
import { EditorIcon } from '../kit/editor-icon.tsx'
import { blockOf } from '../model/tree.ts'
import { emptySpots, type InsertSpot, type SpotArea, spotKey, spotsBeside } from './insert-positions.ts'
import { positionOf, SizeHandleView } from './size-handle.tsx'
import { handlesOf } from './size-handles.ts'

interface CanvasControlsProps {
  readonly area: SpotArea
  readonly hovered: InsertSpot | undefined
}

export const CanvasControls = (props: CanvasControlsProps) => (
  <div className="canvas-marks contents">
    <SizeHandles {...props} />
    <InsertButtons {...props} />
  </div>
)

function SizeHandles({ area: { tree, boxes } }: CanvasControlsProps) {
  const { selection, editingId } = useEditorState()
  const drag = useDragState()
  const [id] = selection
  const block = id === undefined || selection.length > 1 ? undefined : blockOf(tree, id)
  if (!block || drag || editingId !== undefined) return null
  return handlesOf(block, boxes).map(handle => (
    <SizeHandleView key={`${idOf(block)} ${handle.name}`} block={block} handle={handle} />
  ))
}

// A `+` between blocks under the pointer, beside the selected block and in empty containers.

interface InsertButtonsProps {
  readonly area: SpotArea
  readonly hovered: InsertSpot | undefined
}

function InsertButtons({ area, hovered }: InsertButtonsProps) {
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
  const open = (event: React.MouseEvent, { position }: InsertSpot) =>
    menus.open({ kind: 'insert', position, at: event.currentTarget.getBoundingClientRect() })
  return spots.map(spot => {
    const isOpen =
      menu?.kind === 'insert' &&
      menu.position.parentId === spot.position.parentId &&
      menu.position.index === spot.position.index
    return (
      <div key={spotKey(spot)} className="group/insert contents">
        {spot.line && (
          <div
            aria-hidden="true"
            className="pointer-events-none absolute rounded-full bg-accent/60"
            style={positionOf(spot.line)}
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
