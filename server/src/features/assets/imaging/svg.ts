// An SVG is a program of a kind: a few lines can keep a machine busy for hours. So it is drawn by a process of its own,
// which has limits of time and memory and knows no secrets. librsvg itself loads nothing from disk or network and bounds
// entities and references; what it does not bound is time, memory (each see-through group takes a whole picture), and the
// pictures inside.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { BadImage, exitTooBig, limits } from './limits.ts'
import { loadSharp } from './turns.ts'

const prologue = [/^<\?[\s\S]*?\?>/, /^<!--[\s\S]*?-->/, /^<!DOCTYPE[^>[]*(\[[^\]]*\])?\s*>/]

/** What comes after the declarations and comments that may open an XML document. */
function afterPrologue(text: string): string {
  let rest = text.trimStart()
  for (;;) {
    const [part] = prologue.flatMap(pattern => pattern.exec(rest)?.[0] ?? [])
    if (part === undefined) return rest
    rest = rest.slice(part.length).trimStart()
  }
}

/** Latin-1 reads any bytes, and the letters that make XML as they are; first comes a byte order mark at most. */
const beginning = (bytes: Buffer, length: number): string =>
  bytes.toString('latin1', 0, length).replace(/^\u00ef\u00bb\u00bf/, '')

export const isSvg = (bytes: Buffer): boolean => /^<svg[\s/>]/.test(afterPrologue(beginning(bytes, 65_536)))

function textOf(bytes: Buffer): string {
  const encoding = /<\?xml[^>]*?encoding\s*=\s*["']([^"']*)/.exec(beginning(bytes, 1_000))?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new BadImage(`is an SVG that cannot be read as ${encoding}: use UTF-8`)
  }
}

const references = /href\s*=\s*("[^"]*"|'[^']*')/g
const picture = /^data:image\/(png|jpe?g|gif|webp)(;[^,]*)?;base64,(.*)$/i

const character = (digits: string, base: number): string => String.fromCharCode(Number.parseInt(digits, base))

/** The value of an attribute as it is meant: without escapes, and without the blanks that addresses may hold. */
const meant = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replace(/&#x([0-9a-f]+);/gi, (_, hex) => character(hex, 16))
    .replace(/&#(\d+);/g, (_, decimal) => character(decimal, 10))
    .replace(/[\0-\x20]/g, '')

/** Pictures inside are unpacked whole, however small they are drawn. */
async function checkPictures(text: string): Promise<void> {
  const sharp = await loadSharp()
  let pixels = 0
  let count = 0
  for (const [, quoted = ''] of text.matchAll(references)) {
    const address = meant(quoted)
    if (!/^data:/i.test(address)) continue
    count += 1
    if (count > limits.embedded) throw new BadImage(`holds more than ${limits.embedded} embedded pictures`)
    const [, , , base64] =
      picture.exec(address.replace(/%([0-9a-f]{2})/gi, (_, hex) => character(hex, 16))) ?? []
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
        true,
      )
  }
}

/** How deep elements stand in each other; roughly, for text that need not be XML. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [, close, empty] of text.matchAll(/<(\/?)[a-z][^>]*?(\/?)>/gi)) {
    depth += close ? -1 : empty ? 0 : 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

/** At two or more pixels for one of its own, where it is small; as PNG. */
export async function drawSvg(bytes: Buffer): Promise<Buffer> {
  const text = textOf(bytes)
  if (/<!ENTITY/.test(text)) throw new BadImage('is an SVG that declares entities, which are not taken')
  if (depthOf(text) > limits.depth) throw new BadImage(`is an SVG nested deeper than ${limits.depth} levels`)
  await checkPictures(text)
  const limited = `ulimit -v ${limits.kilobytes} 2>/dev/null; exec "$0" "$1"`
  const program = join(import.meta.dirname, 'draw-svg.ts')
  const child = spawn('/bin/sh', ['-c', limited, process.execPath, program], {
    // Of GLib's complaints (a number that is out of range) the first one ends it.
    env: { G_DEBUG: 'fatal-criticals' },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: limits.milliseconds,
    killSignal: 'SIGKILL',
  })
  child.stdin.on('error', () => undefined) // it may have ended before it read all
  // What has been checked and nothing else: in UTF-8, without the declarations before it.
  child.stdin.end(afterPrologue(text))
  const chunks: Buffer[] = []
  child.stdout.on('data', chunk => chunks.push(chunk))
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((ended, failed) => {
    child.on('error', failed)
    child.on('close', (...how) => ended(how))
  })
  if (code === 0) return Buffer.concat(chunks)
  if (code === exitTooBig) throw new BadImage(`has more than ${limits.pixels / 1_000_000} megapixels`, true)
  if (signal === 'SIGKILL')
    throw new BadImage(`is an SVG that takes more than ${limits.milliseconds / 1000} seconds to draw`)
  throw new BadImage('is damaged: it cannot be read as an SVG image')
}
