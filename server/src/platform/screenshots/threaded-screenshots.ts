// Draws pictures in a separate thread, which is started with the first picture and ended when it is idle.
import { Worker } from 'node:worker_threads'
import { apiError, type ErrorCode } from '#kernel/base/errors.ts'
import type { Drawing } from './drawing.ts'
import type { FromThread, ThreadOptions, ToThread } from './messages.ts'
import type { ScreenshotOptions, Screenshots } from './screenshots.ts'

interface PendingDrawing {
  readonly resolve: (drawing: Drawing) => void
  readonly reject: (error: Error) => void
}

/** A little longer than the idle time of the browser in the thread. */
const idleMilliseconds = 310_000

class ScreenshotThread {
  readonly #options: ScreenshotOptions
  readonly #worker: Worker
  readonly #pending = new Map<number, PendingDrawing>()
  #drawCount = 0
  #idleTimer: NodeJS.Timeout | undefined
  isUsable = true
  readonly ended: Promise<void>

  constructor(options: ScreenshotOptions) {
    this.#options = options
    const { chromium, folder, publicUrl, limits } = options
    const workerData: ThreadOptions = { chromium, folder, publicUrl, ...(limits && { limits }) }
    this.#worker = new Worker(new URL('thread.ts', import.meta.url), { workerData })
    this.#worker.unref()
    this.#worker.on('message', (message: FromThread) => this.#handle(message))
    this.#worker.on('error', error =>
      options.log.warn({ err: error }, 'the thread that draws pictures failed'),
    )
    this.ended = new Promise(resolve =>
      this.#worker.once('exit', () => {
        this.isUsable = false
        for (const { reject } of this.#pending.values()) reject(apiError('unavailable'))
        resolve()
      }),
    )
  }

  draw(html: string, appearance: Parameters<Screenshots['draw']>[1]): Promise<Drawing> {
    clearTimeout(this.#idleTimer)
    const { promise, resolve, reject } = Promise.withResolvers<Drawing>()
    const id = ++this.#drawCount
    this.#pending.set(id, { resolve, reject })
    this.#send({ type: 'draw', id, html, appearance })
    return promise.finally(() => {
      this.#pending.delete(id)
      if (this.#pending.size === 0)
        this.#idleTimer = setTimeout(() => void this.close(), idleMilliseconds).unref()
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    if (this.isUsable) {
      this.isUsable = false
      this.#send({ type: 'close' })
    }
    // A thread that does not answer is terminated. Its browser then ends too, because the pipes to it close.
    const timer = setTimeout(() => void this.#worker.terminate(), 2_000)
    await this.ended
    clearTimeout(timer)
  }

  #send(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  #handle(message: FromThread): void {
    if (message.type === 'drawn') {
      const { id, drawing } = message
      this.#pending.get(id)?.resolve({ ...drawing, png: Buffer.from(drawing.png) })
    } else if (message.type === 'failed') {
      const { id, code, message: reason, headers } = message
      this.#pending.get(id)?.reject(apiError(code as ErrorCode, { message: reason, headers }))
    } else if (message.type === 'load') void this.#load(message.id, message.address)
    else if (message.type === 'warning') this.#options.log.warn({ err: message.error }, message.message)
    else void this.#worker.terminate()
  }

  async #load(id: number, address: string): Promise<void> {
    const loaded = await this.#options.load(address).catch(() => null)
    this.#send({ type: 'loaded', id, resource: loaded })
  }
}

export function createThreadedScreenshots(options: ScreenshotOptions): Screenshots {
  let thread: ScreenshotThread | undefined
  let isClosed = false
  return {
    async draw(html, appearance) {
      if (isClosed) throw apiError('unavailable', { message: 'The service is stopping.' })
      if (!thread?.isUsable) thread = new ScreenshotThread(options)
      return thread.draw(html, appearance)
    },
    async close() {
      isClosed = true
      await thread?.close()
    },
  }
}
