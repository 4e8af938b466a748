// Run by threaded-screenshots.ts as a separate thread, because loading Playwright blocks a thread for a third of a
// second.
import { parentPort, workerData } from 'node:worker_threads'
import { ApiError } from '#kernel/base/errors.ts'
import type { Loaded } from './drawing.ts'
import type { FromThread, ThreadOptions, ToThread } from './messages.ts'
import { createScreenshots } from './screenshots.ts'

const send = (message: FromThread): void => parentPort?.postMessage(message)

const pendingLoads = new Map<number, (resource: Loaded | null) => void>()
let loadCount = 0

const screenshots = createScreenshots({
  ...(workerData as ThreadOptions),
  load(address) {
    const { promise, resolve } = Promise.withResolvers<Loaded | null>()
    const id = ++loadCount
    pendingLoads.set(id, resolve)
    send({ type: 'load', id, address })
    return promise
  },
  log: {
    warn: ({ err }, message) => send({ type: 'warning', error: err, message }),
  },
})

async function handle(message: ToThread): Promise<void> {
  if (message.type === 'close') {
    await screenshots.close()
    return send({ type: 'closed' })
  }
  const { id } = message
  if (message.type === 'loaded') {
    const { resource } = message
    // A Buffer arrives as a Uint8Array.
    pendingLoads.get(id)?.(resource && { ...resource, body: Buffer.from(resource.body) })
    pendingLoads.delete(id)
    return
  }
  try {
    send({ type: 'drawn', id, drawing: await screenshots.draw(message.html, message.appearance) })
  } catch (error) {
    const {
      code,
      message: reason,
      headers,
    } = error instanceof ApiError ? error : new ApiError('internal_error')
    send({ type: 'failed', id, code, message: reason, headers })
  }
}

parentPort?.on('message', (message: ToThread) => void handle(message))
