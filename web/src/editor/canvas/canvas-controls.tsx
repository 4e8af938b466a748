// Controls above the drawing: `+` for new blocks, and the handles of the selected block.

import { idOf } from '#records/content/block.ts'
import { useDragState, useEditorState } from '../editor-context.ts'
import { blockOf } from '../model/tree.ts'
import { InsertButtons } from './insert-buttons.tsx'
import type { InsertSpot, SpotArea } from './insert-spots.ts'
import { SizeHandleView } from './size-handle.tsx'
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
