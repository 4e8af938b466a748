// What a call can throw. The generated classes add one per type of error that the API has.
import type { ErrorBody, ErrorCode, ErrorType } from './generated/errors.ts'

/** The types and codes of the API, and those of the SDK. */
type ThrownBody = Omit<ErrorBody, 'error'> & { error: Record<'type' | 'code' | 'message', string> }

export class SignoffError extends Error {
  /** 0 without an answer. */
  declare readonly status: number
  declare readonly type: ErrorType | 'connection_error'
  declare readonly code: ErrorCode | 'connection_failed' | 'timeout' | 'unexpected_answer'
  /** The wrong fields of a request, for example `teammate.smart_fields[2].value`. */
  declare readonly details: NonNullable<ErrorBody['details']>
  declare readonly remediation: ErrorBody['remediation']
  declare readonly requestId: string | undefined
  declare readonly headers: Headers

  constructor(
    { error, details = [], remediation }: ThrownBody,
    status = 0,
    headers = new Headers(),
    cause?: unknown,
  ) {
    super(error.message, { cause })
    const requestId = headers.get('x-request-id') ?? undefined
    Object.assign(this, error, { name: 'SignoffError', status, details, remediation, requestId, headers })
  }
}

/** The service could not be reached, or the connection broke. */
export class ConnectionError extends SignoffError {}
/** No complete answer within `timeoutMs`. */
export class TimeoutError extends ConnectionError {}
