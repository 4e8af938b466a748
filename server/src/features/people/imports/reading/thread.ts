// Reads files in a worker thread, so that requests are answered meanwhile.
import { parentPort } from 'node:worker_threads'
import { UnreadableFile } from './limits.ts'
import { readTable } from './read-table.ts'
import type { FromTableThread, ToTableThread } from './reader.ts'

parentPort?.on('message', async ({ id, file, fields }: ToTableThread) => {
  const send = (message: FromTableThread) => parentPort?.postMessage(message)
  try {
    send({ id, table: await readTable(file, fields) })
  } catch (error) {
    const code = error instanceof UnreadableFile ? error.code : undefined
    send({ id, code, problem: error instanceof Error ? error.message : String(error) })
  }
})
