// Images for the demo, as SVG: a logo and a banner.

const svgFile = (width: number, height: number, drawing: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${drawing}</svg>`,
  )

/** A coffee bean around a point: an ellipse with its crease. */
const drawBean = (x: number, y: number, size: number, colour: string, crease: string): string =>
  `<g transform="translate(${x} ${y}) rotate(35) scale(${size})"><ellipse rx="10" ry="14" fill="${colour}"/><path d="M0-13C6-6-6 5 0 13" fill="none" stroke="${crease}" stroke-width="2"/></g>`

const drawText = (x: number, y: number, size: number, colour: string, text: string): string =>
  `<text x="${x}" y="${y}" font-family="Arial, Liberation Sans, sans-serif" font-size="${size}" font-weight="bold" fill="${colour}">${text}</text>`

export const pictures = [
  {
    name: 'Northbean logo',
    filename: 'northbean-logo.svg',
    role: 'company_logo',
    bytes: svgFile(
      240,
      64,
      drawBean(34, 32, 1.7, '#5b3a26', '#f4e9dc') + drawText(68, 41, 26, '#2b1d14', 'Northbean'),
    ),
  },
  {
    name: 'Harvest 2026 banner',
    filename: 'harvest-2026.svg',
    role: 'banner',
    bytes: svgFile(
      600,
      150,
      `<rect width="600" height="150" fill="#2f5d50"/><path d="M0 150V112C120 70 210 140 330 98S520 60 600 92V150Z" fill="#244a40"/>` +
        drawBean(520, 66, 3, '#f2c14e', '#2f5d50') +
        drawBean(468, 96, 2, '#f7dc9a', '#2f5d50') +
        drawText(36, 70, 27, '#ffffff', 'The new harvest is here') +
        `<text x="36" y="102" font-family="Arial, Liberation Sans, sans-serif" font-size="17" fill="#d7e8e1">Order samples until the end of November</text>`,
    ),
  },
] as const
