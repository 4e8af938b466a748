// Files that are dragged from other programs over the canvas: the line shows where the picture goes; in the middle of an
// image they replace its picture. Browsers open a file that is dropped anywhere else, and the editor would be gone.
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { idOf } from '#records/content/block.ts'
import { toastError } from '#ui/feedback/toast.tsx'
import { useInspector } from '../inputs/inspector-data.ts'
import { useEditor } from '../kit/editor-context.ts'
import { dragOfPicture, hasFiles, isDialogOpen, type PictureTarget, pictureIn } from '../model/pictures.ts'
import { blocksIn } from '../model/tree.ts'
import { type Boxes, heightOf, isInside, widthOf } from './boxes.ts'

/** The outer part of an image that means “beside it”, as for blocks. */
const edgePart = 0.2

interface PictureDropOptions {
  readonly host: RefObject<HTMLElement | null>
  readonly boxes: Boxes
}

/** The image whose picture would be replaced. */
export function usePictureDrop({ host, boxes }: PictureDropOptions): string | undefined {
  const t = useTranslations('editor.pictures')
  const { store, drag } = useEditor()
  const { onPicture } = useInspector()
  const [replacedId, setReplacedId] = useState<string>()
  const drawn = useRef(boxes)
  drawn.current = boxes
  useEffect(() => {
    const imageAt = (x: number, y: number): string | undefined => {
      const origin = host.current?.getBoundingClientRect()
      const images = [...blocksIn(store.getState().tree)].filter(({ type }) => type === 'image')
      return images.map(idOf).find(id => {
        const box = drawn.current.get(id)
        if (!origin || !box) return false
        const [inX, inY] = [widthOf(box) * edgePart, heightOf(box) * edgePart]
        const middle = {
          left: box.left + inX,
          right: box.right - inX,
          top: box.top + inY,
          bottom: box.bottom - inY,
        }
        return isInside(middle, x - origin.left, y - origin.top)
      })
    }
    const targetAt = ({ clientX: x, clientY: y }: DragEvent): PictureTarget | undefined => {
      const blockId = imageAt(x, y)
      setReplacedId(blockId)
      const label = t(blockId === undefined ? 'dropNew' : 'dropReplaces')
      const spot = drag.hover({ dragged: dragOfPicture, label, x, y }, blockId === undefined)
      return blockId === undefined ? spot && { spot } : { blockId }
    }
    const end = () => {
      setReplacedId(undefined)
      drag.hover(undefined)
    }
    const over = (event: DragEvent) => {
      if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return
      event.preventDefault()
      const target = isDialogOpen() ? undefined : targetAt(event)
      if (!target) end()
      event.dataTransfer.dropEffect = target ? 'copy' : 'none'
    }
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return
      event.preventDefault()
      const target = isDialogOpen() ? undefined : targetAt(event)
      end()
      const file = pictureIn(event.dataTransfer.files)
      if (target && file) onPicture({ ...target, file })
      else if (target) toastError(t('notAPicture'))
    }
    /** Only the end of the whole drag has no element that the pointer goes to. */
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) end()
    }
    const events = new AbortController()
    const { signal } = events
    window.addEventListener('dragover', over, { signal })
    window.addEventListener('drop', drop, { signal })
    window.addEventListener('dragleave', leave, { signal })
    return () => events.abort()
  }, [store, drag, host, onPicture, t])
  return replacedId
}
