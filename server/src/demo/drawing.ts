// Shapes that the pictures of the demo are made of, as SVG.

/** A drawing as a file, `density` pixels for each unit. */
export const svgFile = (width: number, height: number, drawing: string, density = 1): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width * density}" height="${height * density}" viewBox="0 0 ${width} ${height}">${drawing}</svg>`,
  )

export const drawEllipse = (
  x: number,
  y: number,
  rx: number,
  ry: number,
  fill: string,
  attributes = '',
): string => `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"${attributes}/>`

export const drawCircle = (x: number, y: number, r: number, fill: string, attributes = ''): string =>
  drawEllipse(x, y, r, r, fill, attributes)

export const drawShape = (path: string, fill: string, attributes = ''): string =>
  `<path d="${path}" fill="${fill}"${attributes}/>`

export const drawLine = (path: string, stroke: string, width: number, attributes = ''): string =>
  `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${attributes}/>`

/** Where a drawing is put, how it is turned (in degrees) and how large it is. */
export interface Placement {
  readonly x: number
  readonly y: number
  readonly turn?: number
  readonly scale?: number
}

export const place = ({ x, y, turn = 0, scale = 1 }: Placement, drawing: string): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})">${drawing}</g>`
