// How small a signature is drawn in its frame.

/** Text of 13 pixels has 10 then. */
export const leastScale = 0.8

/** A thumbnail that is too high is drawn smaller, up to this part, before its end is cut off: that would cut pictures. */
const leastOfThumbnail = 0.5

interface FrameSizes {
  /** Width of the place. */
  readonly available: number
  /** Size of the signature. */
  readonly width: number
  readonly height: number
  /** Only of thumbnails. */
  readonly maxHeight: number | undefined
}

export function frameScale({ available, width, height, maxHeight }: FrameSizes): number {
  const fitting = available / width
  if (maxHeight === undefined) return Math.min(1, Math.max(leastScale, fitting))
  const byWidth = Math.min(1, fitting)
  return Math.max(byWidth * leastOfThumbnail, Math.min(byWidth, maxHeight / height))
}
