// An SVG is a program of a kind: a few lines can keep a machine busy for hours. The image reader process draws it, which
// has limits of time and memory and knows no secrets. librsvg itself loads nothing from disk or network and bounds
// entities and references; what it does not bound is time, memory (each see-through group takes a whole picture), and the
// pictures inside. Everything here takes time in proportion to the length of the text.
import { BadImage, limits } from './limits.ts'
import { loadSharp } from './sharp.ts'

/** What may stand before the root of an XML document: declarations and comments. */
const prologueParts = [
  { begin: '<?', end: '?>' },
  { begin: '<!--', end: '-->' },
] as const

/** The index behind `<!DOCTYPE … [ … ]>`, or -1 when it does not end. */
function endOfDoctype(text: string): number {
  const bracket = text.indexOf('[')
  const close = text.indexOf('>')
  if (close === -1 || bracket === -1 || close < bracket) return close === -1 ? -1 : close + 1
  const subset = text.indexOf(']', bracket)
  if (subset === -1) return -1
  const end = text.indexOf('>', subset)
  return end !== -1 && text.slice(subset + 1, end).trim() === '' ? end + 1 : -1
}

/** What comes after the declarations and comments that may open an XML document. */
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

/** Latin-1 reads any bytes, and the letters that make XML as they are; first comes a byte order mark at most. */
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

/** The value of an attribute as it is meant: without escapes, and without the blanks that addresses may hold. */
const decodeAttribute = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replace(/&#x([0-9a-f]+);/gi, (_, hex) => characterOf(hex, 16))
    .replace(/&#(\d+);/g, (_, decimal) => characterOf(decimal, 10))
    .replace(/[\0-\x20]/g, '')

/** Pictures inside are unpacked whole, however small they are drawn. */
async function checkPictures(text: string): Promise<void> {
  const sharp = await loadSharp()
  let pixels = 0
  let count = 0
  for (const [, quoted = ''] of text.matchAll(hrefPattern)) {
    const address = decodeAttribute(quoted)
    if (!/^data:/i.test(address)) continue
    count += 1
    if (count > limits.embedded) throw new BadImage(`holds more than ${limits.embedded} embedded pictures`)
    const [, , , base64] =
      picturePattern.exec(address.replace(/%([0-9a-f]{2})/gi, (_, hex) => characterOf(hex, 16))) ?? []
    if (base64 === undefined) throw new BadImage('holds embedded data that is not a picture')
    const { width, height } = await sharp(Buffer.from(base64, 'base64'), { limitInputPixels: false })
      .metadata()
      .catch(() => {
        throw new BadImage('holds an embedded picture that cannot be read')
      })
    pixels += width * height
    if (pixels > limits.pixels)
      throw new BadImage(
        `holds embedded pictures; at most ${limits.pixels / 1_000_000} megapixels of them are taken`,
        'out_of_range',
      )
  }
}

const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

/** How deep elements stand in each other; roughly, for text that need not be XML. */
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

/** The drawing, at two or more pixels for one of its own where it is small, as PNG. Run by the image reader process alone. */
export async function drawSvg(bytes: Buffer): Promise<Buffer> {
  const text = textOf(bytes)
  if (text.includes('<!ENTITY')) throw new BadImage('is an SVG that declares entities, which are not taken')
  if (depthOf(text) > limits.depth) throw new BadImage(`is an SVG nested deeper than ${limits.depth} levels`)
  await checkPictures(text)
  // What has been checked and nothing else: in UTF-8, without the declarations before it.
  return rasterise(Buffer.from(skipPrologue(text)))
}

const throwDamaged = (): never => {
  throw new BadImage('is damaged: it cannot be read as an SVG image')
}

async function rasterise(svg: Buffer): Promise<Buffer> {
  const sharp = await loadSharp()
  const { width, height } = await sharp(svg, { limitInputPixels: false }).metadata().catch(throwDamaged)
  if (width * height > limits.pixels)
    throw new BadImage(`has more than ${limits.pixels / 1_000_000} megapixels`, 'out_of_range')
  // A signature is at most 600 pixels wide, and twice as many are shown on good screens.
  const longest = Math.max(width, height)
  const targetLength = Math.min(Math.max(2 * longest, 1_200), 2_400)
  const scale = Math.min(targetLength / longest, 100)
  const image = sharp(svg, { density: 72 * scale, limitInputPixels: limits.pixels })
  return image.png({ compressionLevel: 1 }).toBuffer().catch(throwDamaged)
}
