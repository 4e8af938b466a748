// Run by svg.ts as a process of its own: an SVG comes in, a PNG goes out.
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { exitTooBig, limits } from './limits.ts'

// Whoever started it ends it in time; this is for the case that they are gone.
setTimeout(() => process.kill(process.pid, 'SIGKILL'), limits.milliseconds + 1_000).unref()

const bytes = await buffer(process.stdin)
const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
if (width * height > limits.pixels) {
  process.exitCode = exitTooBig
} else {
  // A signature is at most 600 pixels wide, and twice as many are shown on good screens.
  const longest = Math.max(width, height)
  const wanted = Math.min(Math.max(2 * longest, 1_200), 2_400)
  const scale = Math.min(wanted / longest, 100)
  const image = sharp(bytes, { density: 72 * scale, limitInputPixels: limits.pixels })
  process.stdout.write(await image.png({ compressionLevel: 1 }).toBuffer())
}
