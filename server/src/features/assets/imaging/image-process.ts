// A process that looks into pictures, started by image-processes.ts: jobs come in as frames, results go out as frames, one
// after the other. A file that crashes or hangs the image library ends this process and nothing else.
import { hash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { decodeBase64 } from './base64.ts'
import { convert } from './convert.ts'
import { readFrames, writeFrame } from './frames.ts'
import type { ImageJob, ImageProblem } from './image-processes.ts'
import { BadImage, limits } from './limits.ts'
import { shape } from './shape.ts'

const problem = ({ code, message }: BadImage): ImageProblem => ({ isBad: true, code, message })

/** librsvg cannot be interrupted, so the whole process goes, after it has said why. */
function endSoon(): NodeJS.Timeout {
  return setTimeout(() => {
    const message = `is an SVG that takes more than ${limits.svgMilliseconds / 1000} seconds to draw`
    const frame = framed(problem(new BadImage(message)))
    writeSync(1, frame)
    process.kill(process.pid, 'SIGKILL')
  }, limits.svgMilliseconds)
}

function framed(head: object): Buffer {
  const chunks: Buffer[] = []
  writeFrame({ write: (chunk: Buffer) => chunks.push(chunk) > 0 }, head)
  return Buffer.concat(chunks)
}

async function read(bytes: Buffer): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    const { bytes: converted, ...info } = await convert(bytes, () => {
      timer = endSoon()
    })
    writeFrame(process.stdout, { ...info, hash: hash('sha256', converted) }, converted)
  } finally {
    clearTimeout(timer)
  }
}

// The service ends this process in time; the second timer is for the case that the service itself is gone.
const ownLimit = limits.milliseconds + 1_000

async function work(job: ImageJob, bytes: Buffer): Promise<void> {
  if (job.kind === 'shape') writeFrame(process.stdout, {}, await shape(bytes, job.plan))
  else await read(job.encoding === 'base64' ? decodeBase64(bytes) : bytes)
}

for await (const { head, bytes } of readFrames(process.stdin)) {
  const timer = setTimeout(() => process.kill(process.pid, 'SIGKILL'), ownLimit)
  try {
    await work(head as ImageJob, bytes)
  } catch (error) {
    if (!(error instanceof BadImage)) throw error
    writeFrame(process.stdout, problem(error))
  } finally {
    clearTimeout(timer)
  }
}
