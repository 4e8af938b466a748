// Outlines of the hovered and the selected blocks, and the line where dragged blocks would go.
import { selectionMark } from '../actions/anchor.ts'
import { useDragState, useEditorState } from '../editor-context.ts'
import { type Box, type Boxes, heightOf, widthOf } from './boxes.ts'

export const placeOf = (box: Box) => ({
  left: box.left,
  top: box.top,
  width: widthOf(box),
  height: heightOf(box),
})

interface OverlayProps {
  readonly boxes: Boxes
  readonly hoveredId: string | undefined
}

export function Overlay({ boxes, hoveredId }: OverlayProps) {
  const { selection, editingId } = useEditorState()
  const drag = useDragState()
  const hovered = hoveredId === undefined || drag ? undefined : boxes.get(hoveredId)
  const line = drag?.spot?.zone === 'canvas' ? drag.spot.line : undefined
  return (
    <div aria-hidden="true" className="canvas-marks pointer-events-none absolute inset-0">
      {hovered && !selection.includes(hoveredId ?? '') && (
        <div className="absolute rounded-sm outline outline-1 outline-accent/50" style={placeOf(hovered)} />
      )}
      {selection.map(id => {
        const box = boxes.get(id)
        return (
          box && (
            <div
              key={id}
              {...{ [selectionMark]: '' }}
              className={`absolute rounded-sm outline-2 outline-accent ${id === editingId ? 'outline-dashed' : 'outline'}`}
              style={placeOf(box)}
            />
          )
        )
      })}
      {line && <div className="absolute rounded-full bg-accent" style={placeOf(line)} />}
    </div>
  )
}
