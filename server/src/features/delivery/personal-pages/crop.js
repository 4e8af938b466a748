// The maths of choosing a square part of a picture. Pure: it knows no page. The personal page contains this file, and
// other user interfaces can import it.
//
// A crop is `{ width, height, x, y, side }`: the size of the picture, and the square in it, in pixels of the picture.

/** Pixels of the picture: a smaller part would look blurred. */
const smallestSide = 96

const clamp = (value, least, most) => Math.min(Math.max(value, least), most)

const largestSideOf = ({ width, height }) => Math.min(width, height)

/** The square stays inside of the picture. */
const placed = (crop, x, y) => ({
  ...crop,
  x: clamp(x, 0, crop.width - crop.side),
  y: clamp(y, 0, crop.height - crop.side),
})

/** The largest square. Of a high picture it is in the upper half, where faces are. */
export function startCrop(width, height) {
  const side = Math.min(width, height)
  return placed({ width, height, x: 0, y: 0, side }, (width - side) / 2, (height - side) / 4)
}

/** By pixels of the picture. */
export const moveCrop = (crop, dx, dy) => placed(crop, crop.x + dx, crop.y + dy)

/** The largest zoom; 1 shows the largest square. */
export const largestZoomOf = crop => Math.max(1, Math.min(8, largestSideOf(crop) / smallestSide))

export const zoomOf = crop => largestSideOf(crop) / crop.side

/** Zooms around a point, which is given by fractions of the square: the middle unless given. */
export function zoomCrop(crop, zoom, atX = 0.5, atY = 0.5) {
  const side = largestSideOf(crop) / clamp(zoom, 1, largestZoomOf(crop))
  const x = crop.x + (crop.side - side) * atX
  const y = crop.y + (crop.side - side) * atY
  return placed({ ...crop, side }, x, y)
}

/** As the API takes it: fractions of the sides of the picture. */
export const fractionsOf = ({ width, height, x, y, side }) => ({
  x: x / width,
  y: y / height,
  width: Math.min(1, side / width),
  height: Math.min(1, side / height),
})

/** Where the whole picture is drawn so that the square fills a viewport of this size. */
export const placementOf = ({ width, height, x, y, side }, viewport) => {
  const scale = viewport / side
  return { left: -x * scale, top: -y * scale, width: width * scale, height: height * scale }
}

/** The size of a picture whose longer side has at most `longest` pixels. */
export function fittedSize(width, height, longest) {
  const scale = Math.min(1, longest / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
