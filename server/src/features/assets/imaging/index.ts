// What the rest of the feature knows of looking into pictures.
import type { ImageInfo } from './convert.ts'
import { type ImageJob, runImageJob } from './image-processes.ts'
import type { Plan } from './rendition.ts'

export interface DecodedImage extends ImageInfo {
  readonly bytes: Buffer
  /** Of the bytes. */
  readonly hash: string
}

/** Throws BadImage for what is no picture, or too large a one. */
export async function readImage(
  bytes: Buffer,
  encoding: Extract<ImageJob, { kind: 'read' }>['encoding'],
): Promise<DecodedImage> {
  const result = await runImageJob({ kind: 'read', encoding }, () => bytes)
  const { contentType, width, height, animated, hash } = result.head as DecodedImage
  return { contentType, width, height, animated, hash, bytes: result.bytes }
}

/** A picture cut and shaped for its place. It is loaded when a process is free for it. */
export const makeRendition = async (load: () => Promise<Buffer>, plan: Plan): Promise<Buffer> =>
  (await runImageJob({ kind: 'shape', plan }, load)).bytes
