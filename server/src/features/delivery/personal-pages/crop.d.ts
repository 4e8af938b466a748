/** A picture, and the square in it, in pixels of the picture. */
export interface SquareCrop {
  readonly width: number
  readonly height: number
  readonly x: number
  readonly y: number
  readonly side: number
}
export declare function startCrop(width: number, height: number): SquareCrop
export declare function moveCrop(crop: SquareCrop, dx: number, dy: number): SquareCrop
export declare function largestZoomOf(crop: SquareCrop): number
export declare function zoomOf(crop: SquareCrop): number
export declare function zoomCrop(crop: SquareCrop, zoom: number, atX?: number, atY?: number): SquareCrop
export declare function fractionsOf(crop: SquareCrop): {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
export declare function placementOf(
  crop: SquareCrop,
  viewport: number,
): { readonly left: number; readonly top: number; readonly width: number; readonly height: number }
export declare function fittedSize(
  width: number,
  height: number,
  longest: number,
): { readonly width: number; readonly height: number }
