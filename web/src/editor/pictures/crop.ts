import type { Crop } from '@signoff/render'

/** One thousandth of a pixel of the largest pictures. */
const steps = 100_000
const shorter = (part: number): number => Math.floor(part * steps) / steps

/** Short numbers that never reach beyond the picture; undefined for the whole picture. */
export function roundedCrop({ x, y, width, height }: Crop): Crop | undefined {
  if (width > 0.999 && height > 0.999) return undefined
  return { x: shorter(x), y: shorter(y), width: shorter(width), height: shorter(height) }
}
