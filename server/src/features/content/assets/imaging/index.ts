// The interface of the image processes for the rest of the feature.
import type { ImageInfo } from './convert.ts'
import { type ImageJob, runImageJob } from './image-processes.ts'
import type { RenditionPlan } from './rendition.ts'

export interface DecodedImage extends ImageInfo {
  readonly bytes: Buffer
  /** SHA-256 of `bytes`. */
  readonly hash: string
}

/** Throws BadImage when the file is not a picture, or is too large. */
export async function readImage(
  workspaceId: string,
  bytes: Buffer,
  encoding: Extract<ImageJob, { kind: 'read' }>['encoding'],
): Promise<DecodedImage> {
  const result = await runImageJob(workspaceId, { kind: 'read', encoding }, () => bytes)
  const { contentType, width, height, animated, squareOffset, hash } = result.head as DecodedImage
  return { contentType, width, height, animated, squareOffset, hash, bytes: result.bytes }
}

/** Crops and shapes a picture for its place. Loads the picture only when an image process is free. */
export const makeRendition = async (
  workspaceId: string,
  load: () => Promise<Buffer>,
  plan: RenditionPlan,
): Promise<Buffer> => (await runImageJob(workspaceId, { kind: 'shape', plan }, load)).bytes
