// The marks of the blocks with problems, at the upper right corner of each block on the canvas.
import { useBlockName } from '../block-names.ts'
import type { Boxes } from '../canvas/boxes.ts'
import { useDragState, useEditorState } from '../editor-context.ts'
import { idOf } from '../model/block.ts'
import { blocksIn } from '../model/tree.ts'
import { useCheck } from './check-context.tsx'
import { ProblemMark } from './problem-mark.tsx'

/** Marks of blocks with the same corner stand beside each other. */
const markWidth = 20

export function CanvasMarks({ boxes }: { readonly boxes: Boxes }) {
  const { tree, editingId } = useEditorState()
  const { byBlock } = useCheck()
  const nameOf = useBlockName()
  const drag = useDragState()
  if (drag || editingId !== undefined || byBlock.size === 0) return null
  const taken = new Map<string, number>()
  const marked = [...blocksIn(tree)].flatMap(block => {
    const box = byBlock.has(idOf(block)) ? boxes.get(idOf(block)) : undefined
    if (!box) return []
    const corner = `${Math.round(box.right / markWidth)} ${Math.round(box.top / markWidth)}`
    const before = taken.get(corner) ?? 0
    taken.set(corner, before + 1)
    return [{ block, left: box.right - 12 - before * markWidth, top: box.top - 12 }]
  })
  return (
    <div className="pointer-events-none absolute inset-0">
      {marked.map(({ block, left, top }) => (
        <span key={idOf(block)} className="pointer-events-auto absolute" style={{ left, top }}>
          <ProblemMark blockId={idOf(block)} name={nameOf(block)} />
        </span>
      ))}
    </div>
  )
}
