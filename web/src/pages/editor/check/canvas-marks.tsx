// The marks of the blocks with problems, at the upper right corner of each block on the canvas.
import { useBlockName } from '../block-names.ts'
import { type Box, type Boxes, heightOf } from '../canvas/boxes.ts'
import { useDragState, useEditorState } from '../editor-context.ts'
import { idOf } from '../model/block.ts'
import { blocksIn } from '../model/tree.ts'
import { useCheck } from './check-context.tsx'
import { ProblemMark } from './problem-mark.tsx'

/** A target of 24 pixels, with the space that fingers need. */
const markSize = 24

interface MarkPlace {
  readonly left: number
  readonly top: number
}

const overlap = (one: MarkPlace, other: MarkPlace): boolean =>
  Math.abs(one.left - other.left) < markSize && Math.abs(one.top - other.top) < markSize

/** At the corner of the block, in the middle of a line of text; marks that would overlap go to the left. */
function markPlaces(boxes: readonly Box[]): readonly MarkPlace[] {
  const places: MarkPlace[] = []
  for (const box of boxes) {
    const isLine = heightOf(box) < 2 * markSize
    let place = {
      left: box.right - markSize / 2,
      top: (isLine ? box.top + heightOf(box) / 2 : box.top) - markSize / 2,
    }
    while (places.some(other => overlap(place, other))) place = { ...place, left: place.left - markSize }
    places.push(place)
  }
  return places
}

export function CanvasMarks({ boxes }: { readonly boxes: Boxes }) {
  const { tree, editingId } = useEditorState()
  const { byBlock } = useCheck()
  const nameOf = useBlockName()
  const drag = useDragState()
  if (drag || editingId !== undefined || byBlock.size === 0) return null
  const marked = [...blocksIn(tree)].flatMap(block => {
    const box = byBlock.has(idOf(block)) ? boxes.get(idOf(block)) : undefined
    return box ? [{ block, box }] : []
  })
  const places = markPlaces(marked.map(({ box }) => box))
  return (
    <div className="pointer-events-none absolute inset-0">
      {marked.map(({ block }, index) => (
        <span key={idOf(block)} className="pointer-events-auto absolute" style={places[index]}>
          <ProblemMark blockId={idOf(block)} name={nameOf(block)} />
        </span>
      ))}
    </div>
  )
}
