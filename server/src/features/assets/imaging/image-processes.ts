// Pictures are looked into by processes of their own, which have limits of time and memory and know no secrets: a file can
// crash or hang one of them, and the service goes on. A process is started with the first picture, used for many, and
// ended when it is idle.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createLine } from '../../../kernel/line.ts'
import { type Frame, readFrames, writeFrame } from './frames.ts'
import { BadImage, type BadImageCode, limits } from './limits.ts'
import type { Plan } from './rendition.ts'

export type ImageJob =
  | { readonly kind: 'read'; readonly encoding: 'bytes' | 'base64' }
  | { readonly kind: 'shape'; readonly plan: Plan }

export interface ImageProblem {
  readonly isBad: true
  readonly code: BadImageCode
  readonly message: string
}

/** A picture unpacked is a hundred times what it was. */
const atOnce = 2
const limited = createLine({ atOnce, waiting: 20 })

const idleMilliseconds = 20_000
/** Memory that the image library does not give back goes with the process. */
const jobsPerProcess = 100

const program = join(import.meta.dirname, 'image-process.ts')

class ImageProcess {
  readonly #child: ChildProcess
  readonly #results: AsyncGenerator<Frame>
  #jobs = 0
  #idle: NodeJS.Timeout | undefined

  constructor() {
    const limit = `ulimit -v ${limits.kilobytes} 2>/dev/null; exec "$0" "$1"`
    this.#child = spawn('/bin/sh', ['-c', limit, process.execPath, program], {
      // Of GLib's complaints (a number that is out of range) the first one ends it.
      env: { G_DEBUG: 'fatal-criticals' },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const { stdin, stdout } = this.#child
    if (!stdin || !stdout) throw new Error('the image process has no pipes')
    this.#child.on('error', () => undefined) // its output ends then
    stdin.on('error', () => undefined) // it may have ended before it read all
    this.#results = readFrames(stdout)
    this.#hold(false)
  }

  get isUsable(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#jobs < jobsPerProcess
  }

  /** Undefined when the process ends without a result. */
  async run(job: ImageJob, bytes: Buffer): Promise<Frame | undefined> {
    clearTimeout(this.#idle)
    this.#jobs += 1
    this.#hold(true)
    const timer = setTimeout(() => this.end(), limits.milliseconds)
    try {
      if (this.#child.stdin) writeFrame(this.#child.stdin, job, bytes)
      const { value } = await this.#results.next()
      return value
    } finally {
      clearTimeout(timer)
      this.#hold(false)
      this.#idle = setTimeout(() => this.end(), idleMilliseconds).unref()
    }
  }

  end(): void {
    this.#child.kill('SIGKILL')
  }

  /** An idle process does not keep the service from ending; it ends with it, because its input does. */
  #hold(isBusy: boolean): void {
    const { stdin, stdout } = this.#child as unknown as Record<string, { ref(): void; unref(): void }>
    for (const handle of [this.#child, stdin, stdout]) isBusy ? handle?.ref() : handle?.unref()
  }
}

const idle: ImageProcess[] = []

export function runImageJob(job: ImageJob, bytes: Buffer): Promise<Frame> {
  return limited(async () => {
    const process = takeIdle() ?? new ImageProcess()
    const result = await process.run(job, bytes)
    if (process.isUsable) idle.push(process)
    else process.end()
    if (!result) throw new BadImage('is damaged: it cannot be read as an image')
    const { isBad, code, message } = result.head as Partial<ImageProblem>
    if (isBad) throw new BadImage(message ?? 'is damaged', code)
    return result
  })
}

function takeIdle(): ImageProcess | undefined {
  for (let process = idle.pop(); process !== undefined; process = idle.pop()) {
    if (process.isUsable) return process
    process.end()
  }
  return undefined
}
