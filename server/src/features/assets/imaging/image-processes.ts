// Pictures are looked into by processes of their own, which have limits of time and memory and know no secrets: a file can
// crash or hang one of them, and the service goes on. A process is started with the first picture, used for many, and
// ended when it is idle.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createBoundedQueue } from '#kernel/bounded-queue.ts'
import { apiError } from '#kernel/errors.ts'
import { type Frame, readFrames, writeFrame } from './frames.ts'
import { BadImage, type BadImageCode, limits } from './limits.ts'
import type { Plan } from './rendition.ts'

export type ImageJob =
  | { readonly kind: 'read'; readonly encoding: 'bytes' | 'base64' }
  | { readonly kind: 'shape'; readonly plan: Plan }

/** Part of every result. */
export interface ImageResult {
  /** The process is not to be used again. */
  readonly isLast?: true
}

export interface ImageProblem extends ImageResult {
  readonly isBad: true
  readonly code: BadImageCode
  readonly message: string
}

/** A picture unpacked is a hundred times what it was. */
const atOnce = 2
const limited = createBoundedQueue({ atOnce, waiting: 20 })

const idleMilliseconds = 20_000
/** Memory that the image library does not give back goes with the process. */
const jobsPerProcess = 100

const program = join(import.meta.dirname, 'image-process.ts')

/** Signals by which a process ends that a file has brought down. All others come from outside. */
const crashSignals: ReadonlySet<string | null> = new Set([
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGSEGV',
  'SIGSYS',
  'SIGTRAP',
])

/** Not the file's fault: the same request may succeed later, so no answer to it is kept. */
const unavailable = () =>
  apiError('unavailable', {
    message: 'Images cannot be read right now; try again shortly.',
    headers: { 'Retry-After': '2' },
  })

interface ExitStatus {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Also of a child that could not be started, which emits `error` alone. */
function exitOf(child: ChildProcess): Promise<ExitStatus> {
  const { promise, resolve } = Promise.withResolvers<ExitStatus>()
  child.on('error', () => resolve({ code: null, signal: null }))
  child.once('exit', (code, signal) => resolve({ code, signal }))
  return promise
}

function startChild(): ChildProcess {
  const limit = `ulimit -v ${limits.kilobytes} 2>/dev/null; exec "$0" "$1"`
  return spawn('/bin/sh', ['-c', limit, process.execPath, program], {
    // Of GLib's complaints (a number that is out of range) the first one ends it.
    env: { G_DEBUG: 'fatal-criticals' },
    stdio: ['pipe', 'pipe', 'ignore'],
    // Ctrl-C in a terminal reaches the service alone, which answers what is on its way before it stops.
    detached: true,
  })
}

class ImageProcess {
  readonly #child: ChildProcess
  readonly #exit: Promise<ExitStatus>
  readonly #results: AsyncGenerator<Frame> | undefined
  #pendingFrame: Promise<Frame | undefined> = Promise.resolve(undefined)
  #jobs = 0
  #isBusy = false
  #isReady = false
  #isOverdue = false
  #isDead = false
  #idleTimer: NodeJS.Timeout | undefined

  constructor() {
    this.#child = startChild()
    this.#exit = exitOf(this.#child)
    // Without free file handles a child has no pipes.
    const { stdin, stdout } = this.#child
    stdin?.on('error', () => undefined) // it may have ended before it read all
    this.#results = stdout ? readFrames(stdout) : undefined
    this.#listen()
    this.#keepAlive(false)
  }

  get isUsable(): boolean {
    const { exitCode, signalCode } = this.#child
    return !this.#isDead && exitCode === null && signalCode === null && this.#jobs < jobsPerProcess
  }

  async run(job: ImageJob, bytes: Buffer): Promise<Frame> {
    clearTimeout(this.#idleTimer)
    this.#jobs += 1
    this.#isBusy = true
    this.#keepAlive(true)
    const timer = setTimeout(() => {
      this.#isOverdue = true
      this.end()
    }, limits.milliseconds)
    try {
      return (await this.#resultOf(job, bytes)) ?? (await this.#throwFailure())
    } finally {
      clearTimeout(timer)
      this.#isBusy = false
      this.#keepAlive(false)
      this.#idleTimer = setTimeout(() => this.end(), idleMilliseconds).unref()
    }
  }

  async #resultOf(job: ImageJob, bytes: Buffer): Promise<Frame | undefined> {
    // Its first frame says that it has started.
    if (!this.#isReady && !(await this.#nextFrame())) return undefined
    this.#isReady = true
    if (this.#child.stdin) writeFrame(this.#child.stdin, job, bytes)
    const result = await this.#nextFrame()
    if ((result?.head as ImageResult | undefined)?.isLast) this.#isDead = true
    return result
  }

  /** Undefined when the process ends without another frame. */
  async #nextFrame(): Promise<Frame | undefined> {
    const frame = await this.#pendingFrame
    if (frame) this.#listen()
    return frame
  }

  /** The next frame is always waited for, so that the end of the output is noticed at once. */
  #listen(): void {
    const next = this.#results?.next().then(
      ({ value }) => value as Frame | undefined,
      () => undefined,
    )
    this.#pendingFrame = next ?? Promise.resolve(undefined)
    void this.#pendingFrame.then(frame => {
      if (!frame) this.#isDead = true
      else if (!this.#isBusy) this.end() // a result that no job asked for
    })
  }

  async #throwFailure(): Promise<never> {
    const { code, signal } = await this.#exit
    const isCrash = this.#isOverdue || crashSignals.has(signal) || (code !== null && code !== 0)
    throw this.#isReady && isCrash ? new BadImage('is damaged: it cannot be read as an image') : unavailable()
  }

  end(): void {
    this.#isDead = true
    this.#child.kill('SIGKILL')
  }

  /** An idle process does not keep the service from ending; it ends with it, because its input does. */
  #keepAlive(isBusy: boolean): void {
    const { stdin, stdout } = this.#child as unknown as Record<string, { ref(): void; unref(): void }>
    for (const handle of [this.#child, stdin, stdout]) isBusy ? handle?.ref() : handle?.unref()
  }
}

const idleProcesses: ImageProcess[] = []

/** `load` is called when it is this job's turn: jobs that wait hold no bytes of files. */
export function runImageJob(job: ImageJob, load: () => Buffer | Promise<Buffer>): Promise<Frame> {
  return limited(async () => {
    const bytes = await load()
    const imageProcess = takeIdle() ?? startProcess()
    try {
      const result = await imageProcess.run(job, bytes)
      const { isBad, code, message } = result.head as Partial<ImageProblem>
      if (isBad) throw new BadImage(message ?? 'is damaged', code)
      return result
    } finally {
      if (imageProcess.isUsable) idleProcesses.push(imageProcess)
      else imageProcess.end()
    }
  })
}

function startProcess(): ImageProcess {
  try {
    return new ImageProcess()
  } catch {
    throw unavailable() // no memory for another process
  }
}

function takeIdle(): ImageProcess | undefined {
  for (
    let imageProcess = idleProcesses.pop();
    imageProcess !== undefined;
    imageProcess = idleProcesses.pop()
  ) {
    if (imageProcess.isUsable) return imageProcess
    imageProcess.end()
  }
  return undefined
}
