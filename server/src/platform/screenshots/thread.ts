// Run by threaded-pictures.ts as a thread of its own: loading Playwright holds a thread for a third of a second.
import { parentPort, workerData } from 'node:worker_threads'
import { ApiError } from '#kernel/errors.ts'
import type { Loaded } from './drawing.ts'
import type { FromThread, ThreadOptions, ToThread } from './messages.ts'
import { createScreenshots } from './screenshots.ts'

const tell = (message: FromThread): void => parentPort?.postMessage(message)

const loading = new Map<number, (found: Loaded | null) => void>()
let asked = 0

const pictures = createScreenshots({
  ...(workerData as ThreadOptions),
  load(path) {
    const { promise, resolve } = Promise.withResolvers<Loaded | null>()
    const id = ++asked
    loading.set(id, resolve)
    tell({ type: 'load', id, path })
    return promise
  },
  log: {
    warn: ({ err }, message) => tell({ type: 'warning', error: err, message }),
  },
})

async function handle(message: ToThread): Promise<void> {
  if (message.type === 'close') {
    await pictures.close()
    return tell({ type: 'closed' })
  }
  const { id } = message
  if (message.type === 'loaded') {
    const { found } = message
    // A Buffer arrives as plain bytes.
    loading.get(id)?.(found && { ...found, body: Buffer.from(found.body) })
    loading.delete(id)
    return
  }
  try {
    tell({ type: 'drawn', id, png: await pictures.draw(message.html, message.look) })
  } catch (error) {
    const { code, message: why, headers } = error instanceof ApiError ? error : new ApiError('internal_error')
    tell({ type: 'failed', id, code, message: why, headers })
  }
}

parentPort?.on('message', (message: ToThread) => void handle(message))
