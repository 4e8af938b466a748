// The marks of the blocks with problems, beside each block on the canvas.
import { idOf } from '#records/content/block.ts'
import { useBlockName } from '../blocks/block-names.ts'
import { useDragState, useEditorState } from '../kit/editor-context.ts'
import { blocksIn } from '../model/tree.ts'
import { useCheck } from '../problems/check-context.tsx'
import { ProblemMark } from '../problems/problem-marks.tsx'
import { type Box, type Boxes, heightOf } from './boxes.ts'

/** A target of 24 pixels, with the space that fingers need. */
const markSize = 24

interface MarkPosition {
  readonly left: number
  readonly top: number
}

const overlap = (mark: MarkPosition, other: MarkPosition): boolean =>
  Math.abs(mark.left - other.left) < markSize && Math.abs(mark.top - other.top) < markSize

/** The space beside the drawing, inside of its card. */
const cardSpace = 24

/**
 * Outside the end of the block, so that its words can be read: at the upper corner, or in the middle of a line. Marks
 * that would overlap go on outwards where there is room, else inwards.
 */
function markPositions(boxes: readonly Box[], canvasWidth: number): readonly MarkPosition[] {
  const positions: MarkPosition[] = []
  for (const box of boxes) {
    const isLine = heightOf(box) < 2 * markSize
    const top = (isLine ? box.top + heightOf(box) / 2 : box.top) - (isLine ? markSize / 2 : 0)
    const most = canvasWidth + cardSpace - markSize
    const first = Math.min(box.right, most)
    const isFree = (left: number) => !positions.some(other => overlap({ left, top }, other))
    let left = first
    while (!isFree(left) && left + markSize <= most) left += markSize
    if (!isFree(left)) left = first
    while (!isFree(left)) left -= markSize
    positions.push({ left, top })
  }
  return positions
}

interface CanvasMarksProps {
  readonly boxes: Boxes
  readonly canvasWidth: number
}

export function CanvasMarks({ boxes, canvasWidth }: CanvasMarksProps) {
  const { tree, editingId } = useEditorState()
  const { byBlock } = useCheck()
  const nameOf = useBlockName()
  const drag = useDragState()
  if (drag || editingId !== undefined || byBlock.size === 0) return null
  const marked = [...blocksIn(tree)].flatMap(block => {
    const box = byBlock.has(idOf(block)) ? boxes.get(idOf(block)) : undefined
    return box ? [{ block, box }] : []
  })
  const positions = markPositions(
    marked.map(({ box }) => box),
    canvasWidth,
  )
  return (
    <div className="pointer-events-none absolute inset-0">
      {marked.map(({ block }, index) => (
        <span key={idOf(block)} className="pointer-events-auto absolute" style={positions[index]}>
          <ProblemMark blockId={idOf(block)} name={nameOf(block)} />
        </span>
      ))}
    </div>
  )
}
