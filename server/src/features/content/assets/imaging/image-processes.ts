// Separate image processes read all pictures. They have time and memory limits and no secrets: a file can crash or hang
// an image process, but not the service. A process is started for the first picture, reused for many, and ended when it
// is idle.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { apiError } from '#kernel/base/errors.ts'
import { FairQueue } from '#kernel/base/queues.ts'
import { type Frame, readFrames, writeFrame } from './frames.ts'
import { BadImage, type BadImageCode, imageLimits } from './limits.ts'
import type { RenditionPlan } from './rendition.ts'

export type ImageJob =
  | { readonly kind: 'read'; readonly encoding: 'bytes' | 'base64' }
  | { readonly kind: 'shape'; readonly plan: RenditionPlan }

/** Fields that every result can have. */
export interface ImageResult {
  /** The process must not be used again. */
  readonly isLast?: true
}

export interface ImageProblem extends ImageResult {
  readonly isBad: true
  readonly code: BadImageCode
  readonly message: string
}

/** Kept low, because a decoded picture is up to a hundred times as large as its file. */
const atOnce = 2
/** By workspace: the pictures of one workspace do not delay those of others for long. */
const queue = new FairQueue({
  atOnce,
  waitingPerKey: 20,
  waiting: 100,
  message: 'Too many pictures are being drawn; try again shortly.',
})

const idleMilliseconds = 20_000
/** The image library does not release all memory, so a process is replaced after this many jobs. */
const jobsPerProcess = 100

const program = join(import.meta.dirname, 'image-process.ts')

/** Signals of a crash that a file can cause. All other signals come from outside. */
const crashSignals: ReadonlySet<string | null> = new Set([
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGSEGV',
  'SIGSYS',
  'SIGTRAP',
])

/** Not caused by the file: the same request can succeed later, so no response is stored for its Idempotency-Key. */
const unavailable = () =>
  apiError('unavailable', {
    message: 'Images cannot be read right now; try again shortly.',
    headers: { 'Retry-After': '2' },
  })

interface ExitStatus {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Also resolves for a child that could not be started: that emits only `error`. */
function exitOf(child: ChildProcess): Promise<ExitStatus> {
  const { promise, resolve } = Promise.withResolvers<ExitStatus>()
  child.on('error', () => resolve({ code: null, signal: null }))
  child.once('exit', (code, signal) => resolve({ code, signal }))
  return promise
}

function startChild(): ChildProcess {
  const limit = `ulimit -v ${imageLimits.kilobytes} 2>/dev/null; exec "$0" "$1"`
  return spawn('/bin/sh', ['-c', limit, process.execPath, program], {
    // The process aborts at the first critical warning of GLib, for example a number out of range.
    env: { G_DEBUG: 'fatal-criticals' },
    stdio: ['pipe', 'pipe', 'ignore'],
    // Ctrl-C in a terminal reaches only the service, which finishes running requests before it stops.
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
    // When no file handles are free, the child has no pipes.
    const { stdin, stdout } = this.#child
    stdin?.on('error', () => undefined) // the process can end before it has read all input
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
    }, imageLimits.milliseconds)
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
    // The first frame of the process says that it is ready.
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

  /** Always waits for the next frame, so the end of the output is noticed at once. */
  #listen(): void {
    const next = this.#results?.next().then(
      ({ value }) => value as Frame | undefined,
      () => undefined,
    )
    this.#pendingFrame = next ?? Promise.resolve(undefined)
    void this.#pendingFrame.then(frame => {
      if (!frame) this.#isDead = true
      else if (!this.#isBusy) this.end() // an unexpected frame: no job is running
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

  /** An idle process does not keep the service alive. It ends with the service, because its input closes. */
  #keepAlive(isBusy: boolean): void {
    const { stdin, stdout } = this.#child as unknown as Record<string, { ref(): void; unref(): void }>
    for (const handle of [this.#child, stdin, stdout]) isBusy ? handle?.ref() : handle?.unref()
  }
}

const idleProcesses: ImageProcess[] = []

/** Calls `load` only when the job starts, so waiting jobs hold no file in memory. */
export const runImageJob = (
  workspaceId: string,
  job: ImageJob,
  load: () => Buffer | Promise<Buffer>,
): Promise<Frame> =>
  queue.run(workspaceId, async () => {
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

function startProcess(): ImageProcess {
  try {
    return new ImageProcess()
  } catch {
    throw unavailable() // not enough memory for another process
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
