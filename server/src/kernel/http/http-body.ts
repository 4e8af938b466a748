// Request bodies as HTTP brings them: which are accepted, how much memory they can take, and how one is read.
import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import {
  announcedLength,
  type BodyBudget,
  type Budgets,
  createAnswerBudget,
  createBudgets,
  type Reservation,
  readBody,
  slowestPace,
} from '#kernel/api/body.ts'
import type { Metrics } from '#kernel/api/metrics.ts'
import type { Route } from '#kernel/api/routes.ts'
import { networkOf } from '#kernel/base/rate-limits.ts'
import { notAccepted } from './http-errors.ts'
import { addressOf } from './http-request.ts'
import { innerCaller } from './inner-requests.ts'

export const defaultBodyLimit = 1024 * 1024
const json = ['application/json']
/** Smaller bodies need no reservation: the number of connections bounds how many of them there are. */
const unreservedBytes = 16 * 1024

export const bodyLimitOf = (route: Route | undefined): number => route?.bodyLimit ?? defaultBodyLimit

export function meteredBudgets(metrics: Metrics): Budgets {
  const budgets = createBudgets()
  metrics.gauge('signoff_request_body_bytes', 'Bytes of request bodies in memory.', () =>
    Object.values(budgets).reduce((sum, budget) => sum + budget.used, 0),
  )
  return budgets
}

export function meteredAnswers(metrics: Metrics): BodyBudget {
  const answers = createAnswerBudget()
  const help = 'Bytes of large answers that clients have not taken yet.'
  metrics.gauge('signoff_answer_bytes', help, () => answers.used)
  return answers
}

/**
 * The bytes of a body; undefined when it is empty. The content type is checked before the body is read, and the memory
 * for a large body is reserved.
 */
export const createBodyParser =
  (budgets: Budgets) =>
  async (request: FastifyRequest, stream: IncomingMessage): Promise<Buffer | undefined> => {
    const { route } = request.routeOptions.config
    const announced = announcedLength(stream)
    if (announced === 0) return undefined
    const [type = ''] = (request.headers['content-type'] ?? '').split(';')
    const accepted = route?.accepts ?? json
    const isAccepted = accepted.includes(type.trim().toLowerCase())
    if (!isAccepted && announced !== undefined) throw notAccepted(accepted)
    const limit = bodyLimitOf(route)
    if (!innerCaller() && (announced ?? limit) > unreservedBytes && (announced ?? 0) <= limit) {
      const ofCallers = limit > defaultBodyLimit ? budgets.files : budgets.small
      const budget = request.identity ? ofCallers : budgets.anonymous
      const reservation = await waitForRoom(budget, request, stream, announced ?? limit)
      request.reservation = reservation
      // The stream can have closed before `waitForRoom` listened, or between its answer and this line.
      if (stream.destroyed || request.isAnswered) reservation.release()
    }
    const pace = request.reservation ? slowestPace : null
    const bytes = await readBody(stream, limit, pace).catch(error => {
      // The error is answered after the rest of the body has arrived, which can take long.
      request.reservation?.release()
      throw error
    })
    request.reservation?.shrinkTo(bytes.length)
    if (bytes.length === 0) return undefined
    if (!isAccepted) throw notAccepted(accepted)
    return bytes
  }

/** The keys of a workspace share one part of each budget: with two parts they could use up the whole budget. */
export const memoryCallerOf = (request: FastifyRequest): string =>
  request.identity?.workspaceId ?? networkOf(addressOf(request))

/** Waits for room in a budget, until `connection` closes. */
export async function waitForRoom(
  budget: BodyBudget,
  request: FastifyRequest,
  connection: EventEmitter,
  bytes: number,
): Promise<Reservation> {
  const closed = new AbortController()
  const onClose = () => closed.abort()
  connection.once('close', onClose)
  try {
    return await budget.reserve(memoryCallerOf(request), bytes, closed.signal)
  } finally {
    connection.off('close', onClose)
  }
}

/** For routes that take no body: a body that comes anyway is not parsed, and its bytes are read and dropped. */
export function ignoreBody({ headers, raw }: FastifyRequest): void {
  delete headers['content-type']
  delete headers['transfer-encoding']
  if (headers['content-length'] !== undefined) headers['content-length'] = '0'
  raw.resume()
}
