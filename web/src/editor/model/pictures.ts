// Puts a chosen picture into the tree.
import type { Crop } from '@signoff/render'
import type { Asset } from '@signoff/sdk'
import { newSource } from '#records/assets/replaced-asset.ts'
import { type AnyBlock, idOf } from '#records/content/block.ts'
import { newId } from '#records/content/ids.ts'
import { type DropSpot, dropBlocks } from './drop.ts'
import { setProperties } from './operations.ts'
import { insertNewBlocks, positionFor } from './position.ts'
import type { EditorStore } from './store.ts'
import { blockOf } from './tree.ts'

/** The place of a picture: in an image block, at a spot of the canvas, or after the selected block. */
export interface PictureTarget {
  readonly blockId?: string | undefined
  readonly spot?: Pick<DropSpot, 'position' | 'beside'> | undefined
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

/** True if the tree has the picture now. */
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
  const parent = spot && blockOf(tree, spot.position.parentId)
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
  const position = positionFor(tree, selection.at(-1), [block], store.kind)
  if (position) store.change(root => insertNewBlocks(root, position, [block]), { select })
  return isThere()
}

const emptySpot = { zone: 'canvas', line: { left: 0, top: 0, right: 0, bottom: 0 } } as const

/** One thousandth of a pixel of the largest pictures. */
const steps = 100_000
const shorter = (part: number): number => Math.floor(part * steps) / steps

/** Short numbers that never reach beyond the picture; undefined for the whole picture. */
export function roundedCrop({ x, y, width, height }: Crop): Crop | undefined {
  if (width > 0.999 && height > 0.999) return undefined
  return { x: shorter(x), y: shorter(y), width: shorter(width), height: shorter(height) }
}

// Files that a person drags or pastes.

export const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') ?? false

/** The first picture among files. */
export const pictureIn = (files: FileList): File | undefined =>
  [...files].find(({ type }) => type.startsWith('image/'))

/** A dialog takes files itself. Messages at the edge of the window are `alertdialog`s. */
export const isDialogOpen = (): boolean => document.querySelector('[role=dialog]') !== null
