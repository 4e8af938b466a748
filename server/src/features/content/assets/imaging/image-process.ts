// The image process, started by image-processes.ts. It receives jobs as frames and sends results as frames, one at a
// time. A file that crashes or hangs the image library ends only this process.
import { hash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { Base64Problem, decodeBase64Literal } from '#kernel/base/base64.ts'
import { convert } from './convert.ts'
import { readFrames, writeFrame } from './frames.ts'
import type { ImageJob, ImageProblem, ImageResult } from './image-processes.ts'
import { BadImage, imageLimits } from './limits.ts'
import { drawRendition } from './shape.ts'
import { loadSharp } from './sharp.ts'

/** Decodes a JSON string of base64. Runs only in the image process, because the string can be 20 MB of blanks. */
function decodeBase64(literal: Buffer): Buffer {
  try {
    return decodeBase64Literal(literal)
  } catch (error) {
    throw error instanceof Base64Problem ? new BadImage(error.message, error.code) : error
  }
}

const problemOf = ({ code, message }: BadImage): ImageProblem => ({ isBad: true, code, message })
const end = () => process.kill(process.pid, 'SIGKILL')

/** Marks this process as not reusable when the image library keeps too much memory. */
function answer(result: object, bytes?: Buffer): void {
  const lastFlag: ImageResult = process.memoryUsage.rss() > imageLimits.keptBytes ? { isLast: true } : {}
  writeFrame(process.stdout, { ...result, ...lastFlag }, bytes)
}

/** The image library cannot be interrupted, so the process sends the problem and then kills itself. */
function giveUp(problem: BadImage): void {
  const result: ImageProblem = { ...problemOf(problem), isLast: true }
  writeSync(1, frameOf(result))
  end()
}

const checkMilliseconds = 50

/** A busy machine draws more slowly: the limit for the CPU time is the lower one. */
function startSvgTimer(): NodeJS.Timeout {
  const began = performance.now()
  const before = process.cpuUsage()
  return setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    const { svgCpuMilliseconds, svgMilliseconds } = imageLimits
    const isOverdue =
      (user + system) / 1000 > svgCpuMilliseconds || performance.now() - began > svgMilliseconds
    if (isOverdue)
      giveUp(new BadImage(`is an SVG that takes more than ${svgCpuMilliseconds / 1000} seconds to draw`))
  }, checkMilliseconds)
}

/** The image library works in other threads, so this thread can check the memory while a job runs. */
const watchMemory = (): NodeJS.Timeout =>
  setInterval(() => {
    if (process.memoryUsage.rss() < imageLimits.memoryBytes) return
    const megabytes = imageLimits.memoryBytes / 1024 / 1024
    giveUp(new BadImage(`takes more than ${megabytes} MB of memory to read`, 'out_of_range'))
  }, checkMilliseconds)

function frameOf(head: object): Buffer {
  const chunks: Buffer[] = []
  writeFrame({ write: (chunk: Buffer) => chunks.push(chunk) > 0 }, head)
  return Buffer.concat(chunks)
}

async function convertAndAnswer(bytes: Buffer): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    const { bytes: converted, ...info } = await convert(bytes, () => {
      timer = startSvgTimer()
    })
    answer({ ...info, hash: hash('sha256', converted) }, converted)
  } finally {
    clearInterval(timer)
  }
}

// Normally the service kills this process at its time limit. This later timer works when the service itself has died.
const selfEndMilliseconds = imageLimits.milliseconds + 1_000

async function runJob(job: ImageJob, bytes: Buffer): Promise<void> {
  if (job.kind === 'shape') answer({}, await drawRendition(bytes, job.plan))
  else await convertAndAnswer(job.encoding === 'base64' ? decodeBase64(bytes) : bytes)
}

// Service managers send stop signals to all processes of a service. This process ignores them, so the service can still
// finish its requests; it ends when the service closes its input.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

/** Buffers all input, also while a job runs, so the end of the input (the service has ended) is noticed at once. */
const jobs = new PassThrough({ highWaterMark: 64 * 1024 * 1024 })
process.stdin.once('end', end).pipe(jobs)

// The first frame says "ready". The service does not blame a file for a failure before it.
await Promise.all([loadSharp(), import('file-type')])
writeFrame(process.stdout, {})

for await (const { head, bytes } of readFrames(jobs)) {
  const timer = setTimeout(end, selfEndMilliseconds)
  const memoryTimer = watchMemory()
  try {
    await runJob(head as ImageJob, bytes)
  } catch (error) {
    if (!(error instanceof BadImage)) throw error
    answer(problemOf(error))
  } finally {
    clearTimeout(timer)
    clearInterval(memoryTimer)
  }
}
