// Puts a chosen picture into the tree.
import type { Asset } from '@signoff/sdk'
import { newSource } from '#records/assets/replaced-asset.ts'
import { type AnyBlock, idOf } from '#records/content/block.ts'
import { newId } from '#records/content/ids.ts'
import { type DropSpot, dropBlocks } from '../model/drop.ts'
import { setProperties } from '../model/operations.ts'
import { placeFor } from '../model/place.ts'
import { insertNewBlocks } from '../model/spaces.ts'
import type { EditorStore } from '../model/store.ts'
import { blockOf } from '../model/tree.ts'

/** Where a picture goes: into an image block, to a spot of the canvas, or after the selected block. */
export interface PictureTarget {
  readonly blockId?: string | undefined
  readonly spot?: Pick<DropSpot, 'place' | 'beside'> | undefined
  /** Dropped or pasted. */
  readonly file?: File | undefined
}

export type ImageBlock = Extract<AnyBlock, { type: 'image' }>

/** A picture of a signature is rarely wider; a banner is. */
const firstWidths = { signature: 320, campaign: 480 } as const

/** Beside other blocks: a wider picture would take the room of their words. */
const widthInRow = 120

/** Blocks to drop at a spot, while the picture is not known yet. */
export const dragOfPicture = { blocks: [{ type: 'image', id: 'picture' } as AnyBlock], movedIds: [] }

/** Whether the tree has the picture now. */
export function placePicture(
  store: EditorStore,
  { blockId, spot }: PictureTarget,
  asset: Asset,
  alt: string | undefined,
): boolean {
  const { tree, selection } = store.getState()
  const replaced = blockId === undefined ? undefined : blockOf(tree, blockId)
  if (replaced?.type === 'image') {
    const changes = { ...newSource(replaced, asset), alt }
    return store.change(root => setProperties(root, idOf(replaced), changes)).length === 0
  }
  const id = newId()
  const parent = spot && blockOf(tree, spot.place.parentId)
  const isInRow = spot?.beside !== undefined || (parent?.type === 'stack' && parent.direction === 'row')
  const block: AnyBlock = {
    type: 'image',
    id,
    assetUuid: asset.id,
    blockStyle: { marginTop: 12 },
    width: Math.min(asset.width, isInRow ? widthInRow : firstWidths[store.kind]),
    ...(alt !== undefined && { alt }),
  }
  const select = [id]
  const isThere = () => blockOf(store.getState().tree, id) !== undefined
  if (spot) {
    store.change(root => dropBlocks(root, { blocks: [block], movedIds: [] }, { ...emptySpot, ...spot }), {
      select,
    })
    // The block beside which it should go can be gone: an undo, or another person.
    if (isThere()) return true
  }
  const place = placeFor(tree, selection.at(-1), [block], store.kind)
  if (place) store.change(root => insertNewBlocks(root, place, [block]), { select })
  return isThere()
}

const emptySpot = { zone: 'canvas', line: { left: 0, top: 0, right: 0, bottom: 0 } } as const
