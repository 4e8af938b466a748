// An SVG is similar to a program: a few lines can keep a machine busy for hours. So the image process draws it, which
// has time and memory limits and no secrets. librsvg loads nothing from disk or network and limits entities and
// references. It does not limit time, memory (each translucent group needs a full picture) and embedded pictures. All
// checks in this file take time linear in the length of the text.
import { BadImage, imageLimits } from './limits.ts'
import { loadSharp } from './sharp.ts'
import { hasMoreElements } from './svg-references.ts'

/** Declarations and comments that can precede the root of an XML document. */
const prologueParts = [
  { begin: '<?', end: '?>' },
  { begin: '<!--', end: '-->' },
] as const

/** The index after `<!DOCTYPE … [ … ]>`, or -1 when the DOCTYPE is not closed. */
function endOfDoctype(text: string): number {
  const bracket = text.indexOf('[')
  const close = text.indexOf('>')
  if (close === -1 || bracket === -1 || close < bracket) return close === -1 ? -1 : close + 1
  const subset = text.indexOf(']', bracket)
  if (subset === -1) return -1
  const end = text.indexOf('>', subset)
  return end !== -1 && text.slice(subset + 1, end).trim() === '' ? end + 1 : -1
}

/** Returns the text after the XML declarations, comments and DOCTYPE at its start. */
function skipPrologue(text: string): string {
  let rest = text.trimStart()
  for (;;) {
    const part = prologueParts.find(({ begin }) => rest.startsWith(begin))
    let end = -1
    if (part) {
      const endIndex = rest.indexOf(part.end, part.begin.length)
      end = endIndex === -1 ? -1 : endIndex + part.end.length
    } else if (rest.startsWith('<!DOCTYPE')) end = endOfDoctype(rest)
    if (end === -1) return rest
    rest = rest.slice(end).trimStart()
  }
}

/** Latin-1 can decode any bytes and keeps the ASCII characters of XML. A UTF-8 byte order mark is removed. */
const latin1Start = (bytes: Buffer, length: number): string =>
  bytes.toString('latin1', 0, length).replace(/^\u00ef\u00bb\u00bf/, '')

export const isSvg = (bytes: Buffer): boolean => /^<svg[\s/>]/.test(skipPrologue(latin1Start(bytes, 65_536)))

function encodingOf(bytes: Buffer): string {
  const text = latin1Start(bytes, 1_000)
  const declaration = text.startsWith('<?xml') ? text.slice(0, text.indexOf('?>')) : ''
  const at = declaration.indexOf('encoding')
  return (at === -1 ? undefined : /^\s*=\s*["']([^"']*)/.exec(declaration.slice(at + 8))?.[1]) ?? 'utf-8'
}

function textOf(bytes: Buffer): string {
  const encoding = encodingOf(bytes)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new BadImage(`is an SVG that cannot be read as ${encoding}: use UTF-8`)
  }
}

const hrefPattern = /href\s*=\s*("[^"]*"|'[^']*')/g
const picturePattern = /^data:image\/(png|jpe?g|gif|webp)(;[^,]*)?;base64,(.*)$/i

const characterOf = (digits: string, base: number): string =>
  String.fromCharCode(Number.parseInt(digits, base))

/** Decodes an attribute value: resolves character references, removes blanks and control characters. */
const decodeAttribute = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replace(/&#x([0-9a-f]+);/gi, (_, hex) => characterOf(hex, 16))
    .replace(/&#(\d+);/g, (_, decimal) => characterOf(decimal, 10))
    .replace(/[\0-\x20]/g, '')

/** Limits embedded pictures: librsvg decodes each one completely, even if it is drawn very small. */
async function checkPictures(text: string): Promise<void> {
  const sharp = await loadSharp()
  let pixels = 0
  let count = 0
  for (const [, quoted = ''] of text.matchAll(hrefPattern)) {
    const address = decodeAttribute(quoted)
    if (!/^data:/i.test(address)) continue
    count += 1
    if (count > imageLimits.embedded)
      throw new BadImage(`holds more than ${imageLimits.embedded} embedded pictures`)
    const [, , , base64] =
      picturePattern.exec(address.replace(/%([0-9a-f]{2})/gi, (_, hex) => characterOf(hex, 16))) ?? []
    if (base64 === undefined) throw new BadImage('holds embedded data that is not a picture')
    const { width, height } = await sharp(Buffer.from(base64, 'base64'), { limitInputPixels: false })
      .metadata()
      .catch(() => {
        throw new BadImage('holds an embedded picture that cannot be read')
      })
    pixels += width * height
    if (pixels > imageLimits.pixels)
      throw new BadImage(
        `holds embedded pictures; at most ${imageLimits.pixels / 1_000_000} megapixels of them are taken`,
        'out_of_range',
      )
  }
}

const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

/** The nesting depth of elements. Approximate, because the text can be invalid XML. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (let open = text.indexOf('<'); open !== -1; ) {
    const isClosing = text.charAt(open + 1) === '/'
    if (!isLetter(text.charCodeAt(open + (isClosing ? 2 : 1)))) {
      open = text.indexOf('<', open + 1)
      continue
    }
    const end = text.indexOf('>', open)
    if (end === -1) break
    if (isClosing) depth -= 1
    else if (text.charAt(end - 1) !== '/') depth += 1
    deepest = Math.max(deepest, depth)
    open = text.indexOf('<', end)
  }
  return deepest
}

/** Draws an SVG as PNG; a small one with two or more pixels per SVG pixel. Runs only in the image process. */
export async function drawSvg(bytes: Buffer): Promise<Buffer> {
  const text = textOf(bytes)
  if (text.includes('<!ENTITY')) throw new BadImage('is an SVG that declares entities, which are not taken')
  if (depthOf(text) > imageLimits.depth)
    throw new BadImage(`is an SVG nested deeper than ${imageLimits.depth} levels`)
  if (hasMoreElements(text, imageLimits.elements))
    throw new BadImage(`is an SVG of more than ${imageLimits.elements.toLocaleString('en')} elements`)
  await checkPictures(text)
  // Draw only the text that was checked: as UTF-8, without the declarations before it.
  return rasterise(Buffer.from(skipPrologue(text)))
}

const throwDamaged = (): never => {
  throw new BadImage('is damaged: it cannot be read as an SVG image')
}

async function rasterise(svg: Buffer): Promise<Buffer> {
  const sharp = await loadSharp()
  const { width, height } = await sharp(svg, { limitInputPixels: false }).metadata().catch(throwDamaged)
  if (width * height > imageLimits.pixels)
    throw new BadImage(`has more than ${imageLimits.pixels / 1_000_000} megapixels`, 'out_of_range')
  // A signature is at most 600 pixels wide, and high-resolution screens show twice as many.
  const longest = Math.max(width, height)
  const targetLength = Math.min(Math.max(2 * longest, 1_200), 2_400)
  const scale = Math.min(targetLength / longest, 100)
  const image = sharp(svg, { density: 72 * scale, limitInputPixels: imageLimits.pixels })
  return image.png({ compressionLevel: 1 }).toBuffer().catch(throwDamaged)
}
