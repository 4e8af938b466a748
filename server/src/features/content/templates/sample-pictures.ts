// The pictures in thumbnails: drawn, so that they show no real person and no real company. Words are drawn as strokes,
// because a machine can lack fonts.

const svg = (width: number, height: number, drawing: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width * 2}" height="${height * 2}" viewBox="0 0 ${width} ${height}">${drawing}</svg>`

/** Letters of 14 units: their width and their strokes. */
const letters: Readonly<Record<string, readonly [width: number, path: string]>> = {
  A: [10, 'M0 14 5 0 10 14M1.8 9.4H8.2'],
  F: [9, 'M9 0H1V14M1 6.8H7.6'],
  G: [10, 'M9 2.8C8 1 6.8 0 5 0 2.4 0 .8 2.6.8 7S2.4 14 5 14 9 12 9 9.6V7.6H5.6'],
  I: [2, 'M1 0V14'],
  M: [13, 'M1 14V0L6.5 9 12 0V14'],
  N: [10, 'M1 14V0L9 14V0'],
  P: [10, 'M1 14V0H5.5C8 0 9 1.6 9 3.7S8 7.4 5.5 7.4H1'],
  R: [10, 'M1 14V0H5.5C8 0 9 1.6 9 3.7S8 7.4 5.5 7.4H1M5 7.4 9.4 14'],
  S: [
    10,
    'M9 2.6C8 .9 6.6 0 5 0 2.6 0 1.2 1.4 1.2 3.5 1.2 8 9 6 9 10.5 9 12.6 7.4 14 5 14 3 14 1.4 13 .8 11.2',
  ],
  T: [10, 'M0 0H10M5 0V14'],
  U: [10, 'M1 0V9C1 12 2.6 14 5 14S9 12 9 9V0'],
  ' ': [5, ''],
}

function word(text: string, x: number, y: number, scale: number, color: string, stroke: number): string {
  let at = 0
  const paths = [...text].map(letter => {
    const [width, path] = letters[letter] ?? [0, '']
    const drawn = `<path d="${path}" transform="translate(${at} 0)"/>`
    at += width + 4
    return drawn
  })
  return `<g transform="translate(${x} ${y}) scale(${scale})" fill="none" stroke="${color}" stroke-width="${stroke}" stroke-linecap="round" stroke-linejoin="round">${paths.join('')}</g>`
}

export const logoSize = { width: 148, height: 40 }
export const bannerSize = { width: 480, height: 96 }

const face =
  '<rect width="128" height="128" fill="#e8d5c4"/><path d="M30 66C24 20 104 20 98 66L104 104H24Z" fill="#43291b"/><path d="M18 128C20 100 44 92 64 92S108 100 110 128Z" fill="#31506b"/><path d="M52 80H76V94C76 102 52 102 52 94Z" fill="#c4876a"/><ellipse cx="64" cy="60" rx="23" ry="28" fill="#d79a7b"/><path d="M40 58C42 32 84 28 90 58 78 54 66 48 60 40 56 48 50 54 40 58Z" fill="#43291b"/><path d="M54 74Q64 82 74 74" fill="none" stroke="#a8593f" stroke-width="2.5" stroke-linecap="round"/><circle cx="55" cy="60" r="2.6" fill="#43291b"/><circle cx="73" cy="60" r="2.6" fill="#43291b"/>'

const mark =
  '<circle cx="20" cy="20" r="18" fill="#2b6cb0"/><path d="M9 27 18 13 23 20 25.5 16.5 32 27Z" fill="#fff"/>'

const fair = `<rect width="480" height="96" rx="6" fill="#1f4e79"/><circle cx="404" cy="34" r="14" fill="#f6c453"/><path d="M290 96 358 36 398 70 424 50 480 90Q480 96 474 96Z" fill="#2b6cb0"/><path d="M344 49 358 36 374 50 364 56 358 50 352 57Z" fill="#fff"/>${word('SPRING FAIR', 28, 26, 1.35, '#ffffff', 2.2)}<rect x="28" y="60" width="118" height="8" rx="4" fill="#9dc0e3"/>`

/** SVG by file name. */
export const samplePictures: Readonly<Record<string, string>> = {
  'portrait.png': svg(128, 128, face),
  'logo.png': svg(logoSize.width, logoSize.height, mark + word('SUMMIT', 50, 11.5, 1.2, '#2b6cb0', 2.4)),
  'banner.png': svg(bannerSize.width, bannerSize.height, fair),
}
