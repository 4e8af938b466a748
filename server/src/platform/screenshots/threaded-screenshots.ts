// Pictures drawn by a thread of its own, which is started with the first one and ended with the browser when it is idle.
import { Worker } from 'node:worker_threads'
import { apiError, type ErrorCode } from '#kernel/errors.ts'
import type { FromThread, ThreadOptions, ToThread } from './messages.ts'
import type { ScreenshotOptions, Screenshots } from './screenshots.ts'

interface Waiting {
  readonly resolve: (png: Buffer) => void
  readonly reject: (error: Error) => void
}

/** A little longer than the browser in it stays idle. */
const idleMilliseconds = 310_000

class PictureThread {
  readonly #options: ScreenshotOptions
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0
  #idle: NodeJS.Timeout | undefined
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
        for (const { reject } of this.#waiting.values()) reject(apiError('unavailable'))
        resolve()
      }),
    )
  }

  draw(html: string, look: Parameters<Screenshots['draw']>[1]): Promise<Buffer> {
    clearTimeout(this.#idle)
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    const id = ++this.#asked
    this.#waiting.set(id, { resolve, reject })
    this.#tell({ type: 'draw', id, html, look })
    return promise.finally(() => {
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) this.#idle = setTimeout(() => void this.close(), idleMilliseconds).unref()
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    if (this.isUsable) {
      this.isUsable = false
      this.#tell({ type: 'close' })
    }
    // A thread that does not answer goes too; its browser ends with it, because its pipes do.
    const timer = setTimeout(() => void this.#worker.terminate(), 2_000)
    await this.ended
    clearTimeout(timer)
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  #handle(message: FromThread): void {
    if (message.type === 'drawn') this.#waiting.get(message.id)?.resolve(Buffer.from(message.png))
    else if (message.type === 'failed') {
      const { id, code, message: why, headers } = message
      this.#waiting.get(id)?.reject(apiError(code as ErrorCode, { message: why, headers }))
    } else if (message.type === 'load') void this.#load(message.id, message.path)
    else if (message.type === 'warning') this.#options.log.warn({ err: message.error }, message.message)
    else void this.#worker.terminate()
  }

  async #load(id: number, path: string): Promise<void> {
    const found = await this.#options.load(path).catch(() => null)
    this.#tell({ type: 'loaded', id, found })
  }
}

export function createThreadedScreenshots(options: ScreenshotOptions): Screenshots {
  let thread: PictureThread | undefined
  let isClosed = false
  return {
    async draw(html, look) {
      if (isClosed) throw apiError('unavailable', { message: 'The service is stopping.' })
      if (!thread?.isUsable) thread = new PictureThread(options)
      return thread.draw(html, look)
    },
    async close() {
      isClosed = true
      await thread?.close()
    },
  }
}
