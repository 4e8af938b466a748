// Verifies SAML responses in a worker thread: a document that is as large as allowed takes up to a second.
import { parentPort } from 'node:worker_threads'
import { SignInRefused } from '../refusal.ts'
import type { FromVerifier, ToVerifier } from './messages.ts'
import { verifyResponse } from './protocol.ts'

parentPort?.on('message', async ({ id, answer }: ToVerifier) => {
  const send = (message: FromVerifier) => parentPort?.postMessage(message)
  try {
    send({ id, verified: await verifyResponse(answer) })
  } catch (error) {
    const code = error instanceof SignInRefused ? error.code : 'invalid_answer'
    send({ id, code, problem: error instanceof Error ? error.message : String(error) })
  }
})
